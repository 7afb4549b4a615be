// Package web is the kit of which the gateway's sites are made: package pages is one
// site. A site gives its templates, texts, style and routes to New, and its handlers
// draw pages with Site.Render.
//
// The kit has the one table of routes (routes.go), checks every post (guard.go,
// forms.go), keeps cookies and sessions (cookies.go, seal.go, session.go), draws
// pages and failures (render.go, view.go, failure.go), sets security headers
// (headers.go) and serves files under their hash (static.go). What the sites look
// like is in templates, static and messages, and a site adds its own.
//
// The kit must never know what a site is about: no app, consent, connection, CV or
// developer account, and no type of the services' contracts. It must never let a
// post reach a handler before its origin and its token are checked, and must never
// redirect to an address that is not a path of the site, unless the handler gives it.
package web
