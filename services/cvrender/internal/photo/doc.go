// Package photo prepares a person's photo for a CV. The photo is fetched by this package, never by
// Chromium (behaviour: pdf#photos). The package checks the content, decodes it, rotates it upright,
// scales it down and encodes it again, so nothing but the picture remains of the original file.
//
// A photo's URL is untrusted. It must never make this service connect to a machine that is not
// public (OWASP: server-side request forgery). Two functions ensure this, including for redirects:
//   - checkURL (fetch.go) checks the form of the URL;
//   - filter.control (filter.go) checks the IP address of every connection after DNS resolution.
package photo
