// Package photo prepares a person's photo for a CV. This package, and never Chromium, fetches the
// photo (behaviour: pdf#photos). It checks the content, decodes it, rotates it upright, scales it
// down and encodes it again, so that nothing but the picture remains of the original file.
//
// A photo's URL is untrusted. It must never make this service connect to a machine that is not
// public (OWASP: server-side request forgery). Two functions check this, also at every redirect:
//   - checkURL (fetch.go) checks the form of the URL;
//   - filter.control (filter.go) checks the IP address of every connection after DNS resolution.
package photo
