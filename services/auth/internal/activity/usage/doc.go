// Package usage stores the usage of developer accounts by day, app and key, and writes the request log
// (behaviour: usage). The gateway reports both in batches. It resends a batch until the auth service accepts it, but
// each batch is applied only once. The totals shown to partners and people are computed from the entries of a batch
// and written in the same transaction.
//
// The package must never decide whether to allow a request. The gateway decides that, and reads the counts here only
// if Redis has lost them (behaviour: limits#after-redis-lost-its-data).
package usage
