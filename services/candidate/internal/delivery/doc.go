// Package delivery reports the number of applications to each job to the partnercatalog service.
// The transaction that adds an application writes the job's new total to an outbox. The worker
// sends the total, and deletes it when the partnercatalog service has responded.
//
// A total is an absolute number and only grows, so it may arrive twice, late or out of order. The
// worker must never delete an unconfirmed total, or hold a lock or a Postgres connection while it
// waits for a response.
package delivery
