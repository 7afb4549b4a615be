// Package photo prepares a person's photo for a CV. This package fetches it, never Chromium
// (behaviour: pdf#photos). It checks the content, decodes it, rotates it upright, scales it down and
// encodes it again, so that nothing of the original file remains but the picture.
//
// The address of a photo is untrusted. It must never make this service connect to a machine that is
// not public (OWASP: server-side request forgery). Two places check this, at every redirect too:
//   - checkURL (fetch.go) checks the form of the address;
//   - filter.control (filter.go) checks the IP address of every connection after DNS resolution.
package photo
