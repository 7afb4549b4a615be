// Package relay passes the events of the audit log from the part in which they happened
// to auth, which keeps the log.
//
// A part writes an event into an outbox of its own, in the transaction of the change or
// before the answer. The job takes what the outbox holds, in batches and so that replicas
// do not send the same, and deletes it after the answer. So nothing is lost while auth is
// down, and what arrives twice, as after a crash, is stored once, by its id and time.
package relay
