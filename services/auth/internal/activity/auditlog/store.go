package auditlog

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
)

// ErrNoPartition is returned for an event of a week without a partition. No event was added.
var ErrNoPartition = errors.New("the audit log has no partition for the week of an event")

// Store adds and lists events.
type Store interface {
	// AddEvents adds all events or none. An event with an existing id and time is skipped.
	// ErrNoPartition.
	AddEvents(ctx context.Context, events []audit.Event) error
	// Events returns a page of the log.
	Events(ctx context.Context, q Query) ([]audit.Event, error)
	// NamesOf returns the names of the objects with the ids; with an account, only those that
	// its members may see.
	NamesOf(ctx context.Context, ids []string, accountID string) ([]Name, error)
}

// Partitions manages the partitions of the log. Several replicas may call it concurrently.
type Partitions interface {
	// MakeAuditPartition creates the partition for a time, if it is missing; the zero time is
	// now. It returns false for a time outside the log: more than 400 days ago
	// (behaviour: audit#retention) or weeks ahead.
	MakeAuditPartition(ctx context.Context, at time.Time) (held bool, err error)
	// MakeNextAuditPartitions creates the partitions of this week and the next five.
	MakeNextAuditPartitions(ctx context.Context) error
	// DropAuditPartitions drops partitions with only expired events.
	DropAuditPartitions(ctx context.Context) error
}

// Query requests a page of the log, newest first. Empty filters match everything.
type Query struct {
	AccountID, AppID, PersonID string
	// Actions matches any of these actions.
	Actions []string
	// Outcome is the outcome of the events.
	Outcome audit.Outcome
	// Since is the earliest time, inclusive.
	Since time.Time
	// After is the last event of the previous page.
	After  Position
	AtMost int
}

// Position is a position in the log: that of the event before it.
type Position struct {
	At time.Time
	ID string
}
