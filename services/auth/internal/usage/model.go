package usage

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/errs"
)

// ErrNoPartition says that the log has no partition for an entry's day. Nothing of
// the batch was applied.
var ErrNoPartition = errors.New("the request log has no partition for the day of an entry")

// day is the length of a UTC day.
const day = 24 * time.Hour

// DayOf gives the UTC day of a moment: its midnight.
func DayOf(t time.Time) time.Time { return t.UTC().Truncate(day) }

// dayLayout is how days are written.
const dayLayout = "2006-01-02"

// ParseDay reads a UTC day, YYYY-MM-DD; the error names the field.
func ParseDay(s, field string) (time.Time, error) {
	t, err := time.Parse(dayLayout, s)
	if err != nil {
		return time.Time{}, errs.New(errs.Invalid, "INVALID_ARGUMENT", "%s: must be a day, YYYY-MM-DD", field).WithField(field)
	}
	return t, nil
}

// FormatDay writes a UTC day, YYYY-MM-DD.
func FormatDay(t time.Time) string { return t.UTC().Format(dayLayout) }

// Count is what was used in a day by one key, or by the tokens and links of an app
// together; APIKeyID is then empty.
type Count struct {
	AccountID string
	Day       time.Time
	AppID     string
	APIKeyID  string
	// Requests are all that were answered, Metered those that were spent of the
	// account's budget, Failed those that were answered with 4xx or 5xx.
	Requests, Metered, Failed int64
}

// Entry is one request.
type Entry struct {
	At        time.Time
	RequestID string
	AccountID string
	AppID     string
	// APIKeyID is empty for a token or link, ConnectionID for a key.
	APIKeyID, ConnectionID string
	Method                 string
	// Route is the template of the route, never a path.
	Route   string
	Status  int32
	Latency time.Duration
	// Bytes of the answer's body.
	Bytes   int64
	Metered bool
}

// Batch is what one replica of the edge reports.
type Batch struct {
	ID      string
	Counts  []Count
	Entries []Entry
}

// Position is a place in the log: just before, in its order from the newest to the
// oldest, is all that is newer.
type Position struct {
	At        time.Time
	RequestID string
}

// Query asks for a page of the log of an account, newest first.
type Query struct {
	AccountID string
	// AppID narrows it; empty for all.
	AppID string
	// Since is the age at which the log ends.
	Since time.Time
	// After is where the last page ended.
	After  Position
	AtMost int
}

// Store keeps usage and log.
type Store interface {
	// Spent gives what was spent of a day; zero for what is not there.
	Spent(ctx context.Context, accountID string, day time.Time) (int64, error)
	// Apply takes a batch in, whole or not at all, unless it was applied before. What
	// belongs to unknown accounts is left out. ErrNoPartition.
	Apply(ctx context.Context, b Batch, now time.Time) error
	// Usage lists the counts of an account, newest day first.
	Usage(ctx context.Context, accountID string, from, to time.Time) ([]Count, error)
	// Requests gives a page of the log.
	Requests(ctx context.Context, q Query) ([]Entry, error)
	// AccountExists reports whether there is such an account.
	AccountExists(ctx context.Context, id string) (bool, error)
}
