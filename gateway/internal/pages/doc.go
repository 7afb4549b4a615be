// Package pages is the site at {app_url}. It has what people see in a browser when they sign in, connect
// an app and change what it sees. It also has the public profile and CV, and the documentation for partners.
//
// routes.go joins the routes of the subjects. Each subject is a package with its handlers, templates and
// routes:
//
//	entry         sign-in, sign-up, a forgotten password, sign-out
//	consent       whether an app may connect
//	connections   the connected apps
//	account       a person's own account and applications
//	profile       the editor, CVs, photo and documents
//	public        the public profile and CV
//	docs          the documentation for partners
//
// They share shell (the signed-in person, return paths); credential (passwords and passkeys); and seen
// (what an app sees). Texts are in messages. The tests use pagestest.
//
// The pages work without JavaScript. They decide nothing about people, apps or CVs: they ask auth and
// candidate on every request. They must never redirect to an address that auth has not found registered,
// or put a secret into a page or a URL. They load nothing from another host, except a photo on a public
// page.
package pages
