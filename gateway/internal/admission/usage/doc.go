// Package usage reports completed requests to the auth service, per account. The auth service derives usage
// figures, the daily quota after Redis data loss, and the request log from these reports
// (behaviour: usage, limits#day-counters-survive). The reports are sent in batches, once a second and after
// every thousand requests. Each batch is sent again with the same id until the auth service has accepted
// it.
//
// Record runs in every request, so it must never block, and its memory is limited. If the auth service is down
// for a long time, log entries are dropped (behaviour: usage#late-entries). The counts are kept, because they
// need only one row per day for each key in use.
package usage
