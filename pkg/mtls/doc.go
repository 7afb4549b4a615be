// Package mtls is how the parts know each other. Every process has a certificate
// whose one DNS name is its caller name ("gateway", "auth", …), signed by the
// deployment's own authority, and accepts no connection without such a certificate.
//
// Certificates are renewed by replacing the files; connections that are made later use
// the new ones (docs/operations.md, "Certificates"). gRPC's experimental pemfile provider is
// not used: it logs the private key when certificate and key do not match, as happens during
// a renewal, and does not report files that it cannot use.
//
// It must never log a key, and never replace certificates that work by files that
// cannot be used.
package mtls
