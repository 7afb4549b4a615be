// Package company holds the companies of employers: their fields, the rules for
// what may be written, how their slugs are derived, and which app reaches them.
//
// A company belongs to the app that made it (behaviour: companies#not-managed-by-the-app),
// and every use case of an app checks that here. The package must never tell an app
// whether a company of another one exists.
package company
