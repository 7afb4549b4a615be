// Package usage reports the answered requests of accounts to auth. The reports are the
// source of the usage, of the day's quota after a loss of Redis, and of the request log
// (behaviour: usage, limits#day-counters-survive). They are sent in batches, every second
// and at every thousand requests. Each batch is sent again with the same id until auth
// has accepted it.
//
// Record runs in every request, so it must never block, and its memory is limited. If auth
// is down for long, entries of the log are dropped (behaviour: usage#late-entries). The
// counts are kept: one row a day for each key in use.
package usage
