// Package usage keeps what developer accounts have used, by day, app and key, and
// the log of their requests of the last 30 days (spec: Other constants). The edge
// reports both, in batches that it sends again until they are taken; each is
// applied once.
//
// It must never decide whether a request may pass: that is the edge's, which only
// starts from here when Redis has lost a day's count (decision 42).
package usage
