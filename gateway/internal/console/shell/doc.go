// Package shell has what all pages of the developer console share: the layout, the checks of
// session, role and re-authentication, forms, filters, and files. It also has the names of apps, keys
// and members.
//
// Each subject of the console is a package with a function Routes, which receives the Shell.
package shell
