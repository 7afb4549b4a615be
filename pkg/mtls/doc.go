// Package mtls authenticates services to each other. Every process has a certificate with exactly
// one DNS name, its caller name ("gateway", "auth", …), signed by the deployment's own certificate
// authority. A process rejects connections without such a certificate.
//
// Certificates are renewed by replacing the files; later connections use the new files
// (docs/operations.md, "Certificates"). gRPC's experimental pemfile provider is unsuitable: it logs
// the private key if the certificate and the key do not match, which happens during renewal. It
// also does not report unusable files.
//
// The package must never log a key, and never replace working certificates with unusable ones.
package mtls
