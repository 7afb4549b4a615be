// Package shell provides what all pages of the developer console share: the layout, forms, filters,
// files, the names of apps, keys and members, and the checks of session, role and
// re-authentication.
//
// Each subject of the console is a package with a function Routes, which receives the Shell.
package shell
