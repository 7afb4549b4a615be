// Package outbox stores audit events in the database of the service in which they happened, until
// package relay has sent them to auth. Services share it and add the statements that sqlc generates
// for them.
//
// An event is written in the transaction of its change, so neither exists without the other.
package outbox
