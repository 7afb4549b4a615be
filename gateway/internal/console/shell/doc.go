// Package shell provides what all pages of the developer console share: the layout, forms, filters,
// files, and the names of apps, keys and members. It also checks sessions, roles and
// re-authentication.
//
// Each subject of the console is a package with a function Routes, which receives the Shell. Package
// pages/shell has the same role for the web app, but a different API.
package shell
