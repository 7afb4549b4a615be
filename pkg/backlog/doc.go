// Package backlog tells operators what waits in the outboxes of a part: how many entries,
// and for how long the oldest. Every replica measures all of an outbox.
package backlog
