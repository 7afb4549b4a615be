// Package mtls is how the parts know each other. Every process has a certificate
// whose one DNS name is its caller name ("gateway", "auth", …), signed by the
// deployment's own authority, and accepts no connection without such a certificate.
//
// Certificates are renewed by replacing the files; connections that are made later use
// the new ones (docs/operations.md, "Certificates"). docs/adr/0015 says why the files
// are read by code of this package.
//
// It must never log a key, and never replace certificates that work by files that
// cannot be used.
package mtls
