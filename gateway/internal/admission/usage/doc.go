// Package usage reports to auth which requests of which accounts the edge has
// answered, for the usage, the day's quota and the request log (decision 42): in
// batches, every second and at every thousand requests, each sent again under its
// id until it is taken.
//
// Record is on the way of every answer: it must never wait, and what it keeps is
// bounded. When auth takes nothing for long, entries of the log are dropped; the
// counts, one row a day for each key in use, are kept.
package usage
