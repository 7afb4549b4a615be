package usage

import (
	"errors"
	"time"
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

// Entry is one request in the log.
type Entry struct {
	At        time.Time
	RequestID string
	AccountID string
	AppID     string
	// APIKeyID is empty for a token or link, ConnectionID for a key.
	APIKeyID, ConnectionID string
	Method                 string
	// Route is the template of the route, never the path of the request.
	Route   string
	Status  int32
	Latency time.Duration
	// Bytes is the size of the response body.
	Bytes   int64
	Metered bool
	// ErrorCode is the public code of the error; empty for none.
	ErrorCode string
	// ResourceID is the id in the path; empty if there is none.
	ResourceID               string
	ClientAddress, UserAgent string
	// Country is the country of ClientAddress (ISO 3166-1 alpha-2) if the entry reads data of
	// a person; empty if unknown. The log doesn't store it.
	Country string
	// MinuteLeft and DayLeft are the remaining budget after the request, or Unknown.
	MinuteLeft, DayLeft int32
	// RefusedBy is the limit that refused the request; empty for none.
	RefusedBy string
	// ErrorMessage is the error message for the client, OtherFaults the other faults of the
	// request, one per line. Both are truncated and masked.
	ErrorMessage, OtherFaults string
}

// Unknown is the value for an unknown remaining budget.
const Unknown int32 = -1

// Batch is a report of one gateway replica.
type Batch struct {
	ID      string
	Counts  []Count
	Entries []Entry
}

// KeyUses returns the last use of each API key of the batch: the time of its last entry, or
// now if it has only counts (the gateway may have dropped the entries). It is never in the
// future, whatever the gateways' clocks are.
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

// Position is a place in the log, which is ordered from the newest to the oldest entry.
type Position struct {
	At        time.Time
	RequestID string
}
