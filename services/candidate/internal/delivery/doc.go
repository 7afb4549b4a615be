// Package delivery reports the number of applications of each job to service partnercatalog. The
// transaction that adds an application writes the job's total to an outbox. The worker sends it,
// and deletes it after the answer.
//
// A total is absolute and only grows, so it may arrive twice, late or out of order. The worker must
// never delete an unconfirmed total, and never hold a lock or a connection to Postgres while it
// waits for an answer.
package delivery
