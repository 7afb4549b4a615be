// Package outbox keeps the events of the audit log in the database of the part in which
// they happened, until package relay has passed them on to auth. It is the same for every
// part: what differs are the statements that sqlc makes for the part.
//
// The event of a change is written in the transaction of the change: there is no change
// without its event, and no event without its change.
package outbox
