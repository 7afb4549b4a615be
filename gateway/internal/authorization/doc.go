// Package authorization reads the authorization requests that browsers bring (RFC
// 6749 §4.1.1) and makes the redirects that answer them. The REST API, the legacy
// interface and the consent pages share it: a request must mean the same to the door
// that receives it and to the page that shows it to the person.
//
// It must never decide whether a client or a redirect URI is known: auth does.
package authorization
