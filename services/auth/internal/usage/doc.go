// Package usage keeps the usage of developer accounts by day, app and key, and the log
// of their requests of the last 30 days (behaviour: usage). The edge reports both in
// batches. It sends a batch again until auth takes it, and each batch is applied once.
//
// It must never decide whether a request may pass. The edge decides that, and asks for
// the figures here only if Redis has lost a day's count (behaviour: limits#after-redis-lost-its-data).
package usage
