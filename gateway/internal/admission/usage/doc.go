// Package usage reports to auth which requests of which accounts the gateway has
// answered. From these reports come the usage, the quota of the day after a loss of
// Redis, and the request log (behaviour: usage, limits#day-counters-survive).
// Reports go in batches, every second and at every thousand requests; each batch is
// sent again under its id until auth has taken it.
//
// Record runs in every request, so it must never wait, and its memory is bounded. If
// auth takes nothing for long, entries of the log are dropped
// (behaviour: usage#late-entries). The counts are kept: one row a day for each key
// in use.
package usage
