// Package issuer creates and renews the certificates of a container deployment, and replaces the certificate authority
// before it expires. Each service has a separate folder with its key, and only the issuer can read the authority's key.
// Services reload the files (package mtls), so no restart is needed.
package issuer
