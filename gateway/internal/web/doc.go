// Package web is a small web framework for the gateway's sites: the pages and the developer console. A site
// passes its templates, texts, styles and routes to New, and its handlers render pages with Site.Render.
//
// The package routes requests (routes.go), checks every POST (guard.go, forms.go), manages cookies and sessions
// (cookies.go, session.go), renders pages and errors (render.go, view.go, failure.go), sets security headers
// (headers.go) and serves static files (static.go). The directories templates, static and messages contain the
// common layout, styles and texts, to which each site adds its own.
//
// The package must never know about apps, consents, CVs, developer accounts or the types of the services'
// contracts. A POST must never reach a handler before its origin and its CSRF token have been checked. Only
// handlers may redirect outside the site.
package web
