package usage

import (
	"errors"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
)

// ErrNoPartition is returned if there is no partition for the day of an entry. In this case, nothing in the batch
// has been applied.
var ErrNoPartition = errors.New("the request log has no partition for the day of an entry")

// day is the length of a UTC day.
const day = 24 * time.Hour

// DayOf returns the UTC day that contains t, represented by its first instant.
func DayOf(t time.Time) time.Time { return t.UTC().Truncate(day) }

// dayLayout is the time layout of a day.
const dayLayout = "2006-01-02"

// ParseDay parses a UTC day formatted as YYYY-MM-DD.
func ParseDay(s string) (time.Time, error) { return time.Parse(dayLayout, s) }

// FormatDay formats a UTC day as YYYY-MM-DD.
func FormatDay(t time.Time) string { return t.UTC().Format(dayLayout) }

// Count holds one day's usage of an API key. If APIKeyID is empty, it holds the usage of all tokens and links of an
// app.
type Count struct {
	AccountID string
	Day       time.Time
	AppID     string
	APIKeyID  string
	// Requests counts all completed requests, Metered counts requests charged to the account's
	// budget, Redirected counts 3xx responses, and Failed counts 4xx and 5xx responses. Of the
	// failed requests, Refused counts rejections by a limit, and ServerFailed counts 5xx
	// responses.
	Requests, Metered, Failed, Refused, Redirected, ServerFailed int64
}

// Batch is a report from one gateway replica.
type Batch struct {
	ID      string
	Counts  []Count
	Entries []requestlog.Entry
}

// KeyUses returns when each API key in the batch was last used. It is the time of the key's last entry, or now if
// the gateway dropped the key's entries and sent only counts. The time is never in the future, even if a gateway's
// clock is fast.
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
