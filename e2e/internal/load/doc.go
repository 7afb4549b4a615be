// Package load puts a system under load while a test breaks it: apps that read people, people who
// connect and disconnect apps, employers, applicants, and operators. A ledger stores every
// acknowledgement. After the fault, the audit verifies that no acknowledged write is lost or
// duplicated, that no ended credential is accepted, and that every answer was permitted. The
// package must not know the fault. The test says what the fault may do to an answer
// (Clients.Silence, Clients.Calm).
package load
