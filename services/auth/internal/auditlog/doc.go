// Package auditlog keeps the audit log: it adds events that were not written in the
// transaction of a change, limits how many refusals a flood can add, lists events, and
// creates and drops the partitions of the log (behaviour: audit).
//
// It can neither change nor delete an event. Neither can the service's Postgres role, if the
// deployment separates it from the owner of the tables.
package auditlog
