// Package company contains the rules for employers' companies: their fields and limits, how slugs
// are derived, and which app manages a company.
//
// A company belongs to the app that created it (behaviour: companies#companies-of-other-apps), and
// every use case that an app can call checks this. The package must never reveal to an app whether
// another app's company exists.
package company
