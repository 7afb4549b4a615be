// Package photo gets a person's photo ready for a CV: fetched by us, never by
// Chromium; checked by its content; decoded, turned upright, scaled down, and
// encoded anew, so that nothing of the original file is left but the picture.
//
// The address comes from a stranger and must never make us talk to a machine
// that only we can reach: every address that is dialled, also after a redirect
// or a change of DNS, passes the filter (OWASP: server-side request forgery).
package photo
