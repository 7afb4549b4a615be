// Package relay passes the events of the audit log from the part in which they happened
// to auth, which keeps the log.
//
// A part writes an event into an outbox of its own, in the transaction of the change or
// before the answer. The job sends what the outbox holds, and deletes it after the
// answer. So nothing is lost while auth is down, and what arrives twice is stored once,
// by its id and time.
package relay
