package auditlog

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
)

// ErrNoPartition is returned if there is no partition for the week of an event. In this case, no event has been
// added.
var ErrNoPartition = errors.New("the audit log has no partition for the week of an event")

// Store adds and lists events.
type Store interface {
	// AddEvents adds all events or none. It skips an event whose id and time already exist. It
	// returns ErrNoPartition if a partition is missing.
	AddEvents(ctx context.Context, events []audit.Event) error
	// Events returns a page of the log.
	Events(ctx context.Context, q Query) ([]audit.Event, error)
	// NamesOf returns the names of the objects with the given ids. If accountID is set, it returns only names that
	// the account's members may see.
	NamesOf(ctx context.Context, ids []string, accountID string) ([]Name, error)
}

// Partitions manages the partitions of the log. Several replicas may call it concurrently.
type Partitions interface {
	// MakeAuditPartition creates the partition for a time if it is missing; the zero time means now. It returns
	// false if the log does not accept that time, because it is more than 400 days ago (behaviour: audit#retention)
	// or weeks ahead.
	MakeAuditPartition(ctx context.Context, at time.Time) (held bool, err error)
	// MakeNextAuditPartitions creates the partitions for this week and the next five.
	MakeNextAuditPartitions(ctx context.Context) error
	// DropAuditPartitions drops the partitions that contain only expired events.
	DropAuditPartitions(ctx context.Context) error
}

// Query requests a page of the log, newest first. Empty filters match everything.
type Query struct {
	AccountID, AppID, PersonID string
	// Actions matches any of these actions.
	Actions []string
	// Outcome matches the outcome of the events.
	Outcome audit.Outcome
	// Since is the earliest time to list, inclusive.
	Since time.Time
	// After is the position of the last event on the previous page.
	After  Position
	AtMost int
}

// Position is the position of an event in the log; the next page starts after it.
type Position struct {
	At time.Time
	ID string
}
