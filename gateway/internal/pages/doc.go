// Package pages implements the site at {app_url}: the pages on which people sign in, connect an app
// and decide what it sees, their public profile and CV, and the documentation for partners.
//
// routes.go collects the routes of the following packages. Each contains its own handlers and
// templates:
//
//	entry         sign-in, sign-up, a forgotten password, sign-out
//	consent       whether an app may connect
//	connections   the connected apps
//	account       a person's own account and applications
//	profile       the editor, CVs, photo and documents
//	public        the public profile and CV
//	docs          the documentation for partners
//
// They share three packages: shell (the signed-in person and return paths); credential (passwords
// and passkeys); and seen (what an app sees). The translations are in messages. The tests use
// pagestest.
//
// The pages work without JavaScript. They make no decisions about people, apps or CVs themselves,
// but call the auth and candidate services on every request. They must never redirect to a URL that
// the auth service has not confirmed as registered, or put a secret into a page or a URL. They load
// nothing from other hosts, except a photo on a public page.
package pages
