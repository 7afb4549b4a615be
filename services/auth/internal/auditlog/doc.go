// Package auditlog keeps the audit log: it adds events that were not written in the
// transaction of a change, bounds how many refusals a flood can add, lists events, and
// makes and drops the partitions of the log (behaviour: audit).
//
// It can neither change nor delete an event. The role that the service has in Postgres
// cannot either, where the deployment keeps it apart from the owner of the tables.
package auditlog
