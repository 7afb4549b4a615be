// Package usage keeps the usage of developer accounts by day, app and key, and the log
// of their requests of the last 30 days (behaviour: usage). The edge reports both in
// batches. It sends a batch again until auth takes it, and each batch is applied once.
//
// A filter of the log is read by a plain index, and a page reads a bounded number of entries
// (behaviour: usage#pages). Keeping which combinations of filters occur would find rare ones
// faster, but every request would write that.
//
// What the log, the pages of usage and the pages of people show is added up per batch before it
// is written, and written with the entries in one transaction.
//
// It must never decide whether a request may pass. The edge decides that, and asks for
// the figures here only if Redis has lost a day's count (behaviour: limits#after-redis-lost-its-data).
package usage
