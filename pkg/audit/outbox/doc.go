// Package outbox stores audit events in a service's own database until package relay has sent them
// to the auth service. The services share this package and supply the statements that sqlc
// generates for them.
//
// An event is written in the same transaction as the change that it records, so neither exists
// without the other.
package outbox
