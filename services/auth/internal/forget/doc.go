// Package forget makes sure that what was ended is refused at every edge replica
// before anyone is told that it was (docs/architecture.md, "Live credential
// state").
//
// The transaction that makes session records stale writes an order to the
// outbox. Teller carries it out right after the commit; Worker carries out what
// a crash, or a caller that went away, left behind.
//
// It must never report success while a stale record can live: with Redis out of
// reach it waits until every record has died of its age.
package forget
