// Package pages is the site at {app_url}: what people see in a browser when they sign
// in, connect an app and change what it sees, the public profile and CV, and the
// documentation for partners. It is made of the kit web.
//
// routes.go is the table of contents. Each subject has a type with its handlers and
// what they need:
//
//	signin.go, signout.go     sign-in and its end
//	consent.go, decision.go   the consent page, and what the person decides there
//	connections.go, changes.go  the connected apps, and what the person changes
//	public.go, photo.go       the public profile and CV
//	docs.go, docspages.go     the guides, the reference and the codes, for partners
//	home.go                   the start page
//
// The pages work without JavaScript. They decide nothing about
// people, apps or CVs: they ask auth and candidate on every request. They must never
// redirect to an address that auth has not found registered, put a secret into a page
// or a URL, or load anything from another host, except a photo on a public page.
package pages
