// Package load puts a system under load while a test breaks it: apps that read people's data, people
// who connect and disconnect apps, employers, applicants, and operators. A ledger records every
// acknowledgement. After the fault, the audit verifies that no acknowledged write is lost or
// duplicated, that no revoked credential is accepted, and that every response was allowed. The package
// must not know the fault. The test specifies how the fault may affect responses (Clients.Silence,
// Clients.Calm).
package load
