// Package pages is what people see in a browser at {app_url}: sign-in, consent,
// connected apps, and the public profile and CV. routes.go is its table of
// contents.
//
// It renders HTML that works without JavaScript, keeps the session cookie, and
// refuses forged requests. It decides nothing about people, apps or CVs: auth and
// candidate do, and are asked on every request. It must never redirect to an
// address that auth has not found registered, put a secret into a page or a URL,
// or load anything from elsewhere, except a photo on a public page.
package pages
