// Package authorization parses authorization requests (RFC 6749 §4.1.1) and builds the
// redirects that answer them. The REST API, the legacy interface and the consent pages
// share it. So the endpoint and the consent page read the same request.
//
// It must never decide whether a client or a redirect URI is registered: auth does.
package authorization
