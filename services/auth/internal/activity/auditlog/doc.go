// Package auditlog keeps the audit log (behaviour: audit). It adds events that were not
// written in the transaction of a change, limits how many refusals a flood can add, and lists
// events. It also creates and drops the partitions of the log.
//
// It can neither change nor delete an event. Neither can the service's Postgres role, if the
// deployment separates it from the owner of the tables.
package auditlog
