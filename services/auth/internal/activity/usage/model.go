package usage

import (
	"errors"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
)

// ErrNoPartition is returned for a batch with an entry of a day without a partition. Nothing
// of the batch was applied.
var ErrNoPartition = errors.New("the request log has no partition for the day of an entry")

// day is the length of a UTC day.
const day = 24 * time.Hour

// DayOf returns the UTC day of a time, as the midnight at its start.
func DayOf(t time.Time) time.Time { return t.UTC().Truncate(day) }

// dayLayout is the text form of days.
const dayLayout = "2006-01-02"

// ParseDay parses a UTC day, YYYY-MM-DD.
func ParseDay(s string) (time.Time, error) { return time.Parse(dayLayout, s) }

// FormatDay formats a UTC day as YYYY-MM-DD.
func FormatDay(t time.Time) string { return t.UTC().Format(dayLayout) }

// Count is the usage of a day by one API key or, with an empty APIKeyID, by all tokens and
// links of an app.
type Count struct {
	AccountID string
	Day       time.Time
	AppID     string
	APIKeyID  string
	// Requests counts all answered requests, Metered those charged to the account's budget,
	// Redirected those with status 3xx, and Failed those with 4xx or 5xx. Of the failed ones,
	// Refused were refused by a limit and ServerFailed have status 5xx.
	Requests, Metered, Failed, Refused, Redirected, ServerFailed int64
}

// Batch is a report of one gateway replica.
type Batch struct {
	ID      string
	Counts  []Count
	Entries []requestlog.Entry
}

// KeyUses returns the last use of each API key of the batch. That is the time of its last entry, or
// now if it has only counts (the gateway may have dropped the entries). It is never in the future,
// whatever the gateways' clocks are.
func (b Batch) KeyUses(now time.Time) map[string]time.Time {
	uses := map[string]time.Time{}
	for _, e := range b.Entries {
		if e.APIKeyID != "" && e.At.After(uses[e.APIKeyID]) {
			uses[e.APIKeyID] = e.At
		}
	}
	for _, c := range b.Counts {
		if _, there := uses[c.APIKeyID]; c.APIKeyID != "" && !there {
			uses[c.APIKeyID] = now
		}
	}
	for key, at := range uses {
		if at.After(now) {
			uses[key] = now
		}
	}
	return uses
}
