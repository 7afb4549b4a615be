// Package auditlog stores and lists the audit log (behaviour: audit). It adds events that were not
// written in the transaction of a change, limits how many refusals a flood can add, and creates and
// drops the log's partitions.
//
// It cannot change or delete an event. Neither can the service's Postgres role, if the deployment
// uses a separate role as the owner of the tables.
package auditlog
