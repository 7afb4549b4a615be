// Package photo prepares a person's photo for a CV. This package fetches it, never
// Chromium (behaviour: pdf#photos). It checks the photo by its
// content, decodes it, turns it upright, scales it down, and encodes it anew, so that
// nothing of the original file is left but the picture.
//
// The address of a photo comes from a stranger. It must never make this service connect to
// a machine that is not public (OWASP: server-side request forgery). Two places check it:
//   - checkURL (fetch.go) checks the form of the address, also of every redirect;
//   - filter.control (filter.go) checks the IP address of every connection, after DNS has
//     resolved it, also of every redirect.
package photo
