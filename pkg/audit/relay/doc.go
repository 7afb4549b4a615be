// Package relay sends audit events from the services in which they occurred to auth, which stores
// the audit log.
//
// A service writes events to its outbox, in the transaction of the change or before it responds.
// The job takes events in batches, which lets replicas send different ones concurrently, and
// deletes them once auth has confirmed them. No event is lost while auth is down. An event that
// arrives twice, for example after a crash, is stored once, because its id and time identify it.
package relay
