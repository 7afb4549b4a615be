// Package issuer creates and renews the certificates of a deployment of containers, and replaces
// the authority in time. Each service has a separate folder with its key; only the issuer can read
// the authority's key. Services reload the files (package mtls), so nothing is restarted.
package issuer
