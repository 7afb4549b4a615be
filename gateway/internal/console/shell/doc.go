// Package shell provides what all pages of the developer console share: the layout, forms, filters,
// files, and the names of apps, keys and members. It also checks sessions, roles and
// re-authentication.
//
// Each group of pages is a package with a function Routes, which takes the Shell. Package
// pages/shell plays the same role for the web app, but has a different API.
package shell
