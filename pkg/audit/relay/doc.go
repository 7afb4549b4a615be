// Package relay sends audit events from the service that recorded them to the auth service, which
// stores the audit log.
//
// A service writes events to its outbox, in the transaction of the change or before it responds.
// The job takes events in batches, so that several replicas can send different events concurrently.
// It deletes events once the auth service has confirmed them. No event is lost while the service is
// down. An event that arrives twice, for example after a crash, is stored once, because its id and
// time identify it.
package relay
