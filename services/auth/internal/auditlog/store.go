package auditlog

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
)

// ErrNoPartition is for an event of a week without a partition. Nothing was added.
var ErrNoPartition = errors.New("the audit log has no partition for the week of an event")

// Store adds and lists events.
type Store interface {
	// AddEvents adds events, all or none. One that is there already, by id and time, stays
	// as it is. ErrNoPartition.
	AddEvents(ctx context.Context, events []audit.Event) error
	// Events gives a page of the log.
	Events(ctx context.Context, q Query) ([]audit.Event, error)
	// NamesOf gives the names of whatever has one of the ids. With an account they are those
	// that its members may know.
	NamesOf(ctx context.Context, ids []string, accountID string) ([]Name, error)
}

// Partitions are those of the log. Several replicas may change them at once.
type Partitions interface {
	// MakeAuditPartition makes the partition of a moment, if it is missing; the zero time
	// is now. It reports false for a moment that the log does not hold: one of more than
	// 400 days ago (behaviour: audit#retention), or weeks ahead.
	MakeAuditPartition(ctx context.Context, at time.Time) (held bool, err error)
	// MakeNextAuditPartitions makes those of this week and the next five.
	MakeNextAuditPartitions(ctx context.Context) error
	// DropAuditPartitions drops the partitions all of whose events are too old.
	DropAuditPartitions(ctx context.Context) error
}

// Query asks for a page of the log, newest first. Filters that are empty match
// everything.
type Query struct {
	AccountID, AppID, PersonID string
	// Actions match if one of them does.
	Actions []string
	// Outcome is how they ended.
	Outcome audit.Outcome
	// Since is the first moment.
	Since time.Time
	// After is the position that the page follows.
	After  Position
	AtMost int
}

// Position is a place in the log: the event that comes before it.
type Position struct {
	At time.Time
	ID string
}
