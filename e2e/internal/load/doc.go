// Package load is clients of every kind: apps that read people, people who connect and
// disconnect apps, employers who publish jobs, applicants, and operators of keys. They ask
// a system without pause while a test breaks it, and write into a ledger what they were
// told. When the system is whole again the audit looks for all of it: no acknowledged write
// is lost or doubled, no ended credential is accepted, and no answer was one that no fault
// allows.
//
// It must not know what breaks, nor how the system is run. The test says what its fault
// may do to an answer (Clients.Silence, Clients.Calm).
package load
