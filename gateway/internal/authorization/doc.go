// Package authorization parses authorization requests (RFC 6749 §4.1.1) and builds the redirects back to the
// app. The REST API, the legacy interface and the consent pages share it, so that the endpoint and the consent
// page interpret a request in the same way.
//
// The package must never decide whether a client or a redirect URI is registered. The auth service
// does.
package authorization
