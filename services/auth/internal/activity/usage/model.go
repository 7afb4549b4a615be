package usage

import (
	"errors"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
)

// ErrNoPartition is returned if the day of an entry has no partition. Nothing in the batch was
// applied.
var ErrNoPartition = errors.New("the request log has no partition for the day of an entry")

// day is the length of a UTC day.
const day = 24 * time.Hour

// DayOf returns the UTC day of a time, represented by the midnight at its start.
func DayOf(t time.Time) time.Time { return t.UTC().Truncate(day) }

// dayLayout is the string format of days.
const dayLayout = "2006-01-02"

// ParseDay parses a UTC day, YYYY-MM-DD.
func ParseDay(s string) (time.Time, error) { return time.Parse(dayLayout, s) }

// FormatDay formats a UTC day as YYYY-MM-DD.
func FormatDay(t time.Time) string { return t.UTC().Format(dayLayout) }

// Count is the usage on one day of one API key or, if APIKeyID is empty, of all tokens and links of
// an app.
type Count struct {
	AccountID string
	Day       time.Time
	AppID     string
	APIKeyID  string
	// Requests counts all completed requests, Metered counts requests charged to the account's
	// budget, Redirected counts 3xx responses, and Failed counts 4xx and 5xx responses. Of the
	// failed requests, Refused counts those that a limit rejected, and ServerFailed counts 5xx
	// responses.
	Requests, Metered, Failed, Refused, Redirected, ServerFailed int64
}

// Batch is a report of one gateway replica.
type Batch struct {
	ID      string
	Counts  []Count
	Entries []requestlog.Entry
}

// KeyUses returns the time of the last use of each API key in the batch. It is the time of the
// key's last entry, or now if the key has only counts (the gateway may have dropped the entries).
// It is never in the future, even if a gateway's clock is fast.
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
