// Package mtls authenticates services to each other. Every process has a certificate with exactly
// one DNS name, its caller name ("gateway", "auth", …), signed by the deployment's own authority.
// It accepts no connections without such a certificate.
//
// Certificates are renewed by replacing the files; later connections use the new ones
// (docs/operations.md, "Certificates"). gRPC's experimental pemfile provider is not used because it
// logs the private key when certificate and key do not match, which happens during renewal, and
// does not report unusable files.
//
// The package must never log a key, and never replace working certificates by unusable files.
package mtls
