// Package shell has what all pages of the developer console share: the layout, the checks of
// session, role and proof, forms, filters, files, and the names of apps, keys and members.
//
// A subject of the console is a package with a function Routes, which gets the Shell.
package shell
