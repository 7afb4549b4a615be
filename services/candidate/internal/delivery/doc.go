// Package delivery reports to service partnercatalog how many applications its jobs
// have. The transaction that adds an application puts the job's total into an outbox.
// The worker sends it, and deletes it after the answer.
//
// A total is absolute and only grows, so it may arrive twice, late or out of order. The
// worker must never delete a total that was not confirmed, and never hold a lock or a
// connection to Postgres while it waits for an answer.
package delivery
