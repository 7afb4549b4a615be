// Package relay sends audit events from the service in which they happened to auth, which keeps the
// audit log.
//
// A service writes events to its outbox, in the transaction of the change or before the answer. The
// job takes events in batches, so that replicas send different ones, and deletes them after auth
// has answered. No event is lost while auth is down. An event that arrives twice, for instance
// after a crash, is stored once, identified by its id and time.
package relay
