// Package usage keeps the usage of developer accounts by day, app and key, and the log of
// their requests in the last 30 days (behaviour: usage). The gateway reports both in batches.
// It resends a batch until auth accepts it, and each batch is applied once.
//
// A filter of the log uses a plain index, and a page reads a limited number of entries
// (behaviour: usage#pages). Tracking which combinations of filters occur would find rare ones
// faster, but would add a write to every request.
//
// The totals shown in the log, on usage pages and to people are computed per batch and
// written in one transaction with the entries.
//
// The package must never decide whether a request may pass. The gateway decides that, and
// reads the counts here only if Redis has lost them
// (behaviour: limits#after-redis-lost-its-data).
package usage
