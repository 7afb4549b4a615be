// Package company is the companies of employers: what they hold, the rules for
// what may be written, how their slugs come to be, and who may reach them.
//
// A company belongs to the app that made it (spec: API key scopes, rule 5), and
// this package decides so at every use case of an app. It must never tell an app
// whether a company of another one exists.
package company
