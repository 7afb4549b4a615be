package usage

import (
	"errors"
	"time"
)

// ErrNoPartition is for a batch with an entry of a day without a partition. Nothing of
// the batch was applied.
var ErrNoPartition = errors.New("the request log has no partition for the day of an entry")

// day is the length of a UTC day.
const day = 24 * time.Hour

// DayOf gives the UTC day of a moment, as the midnight that it begins with.
func DayOf(t time.Time) time.Time { return t.UTC().Truncate(day) }

// dayLayout is the written form of days.
const dayLayout = "2006-01-02"

// ParseDay reads a UTC day, YYYY-MM-DD.
func ParseDay(s string) (time.Time, error) { return time.Parse(dayLayout, s) }

// FormatDay writes a UTC day, YYYY-MM-DD.
func FormatDay(t time.Time) string { return t.UTC().Format(dayLayout) }

// Count is the usage of a day by one API key, or by all tokens and links of an app. Then
// APIKeyID is empty.
type Count struct {
	AccountID string
	Day       time.Time
	AppID     string
	APIKeyID  string
	// Requests counts all answered requests, Metered those that spent of the account's
	// budget, and Failed those with a status of 4xx or 5xx. Of the failed ones, Refused were
	// refused by a limit and ServerFailed have a status of 5xx. Redirected have 3xx.
	Requests, Metered, Failed, Refused, Redirected, ServerFailed int64
}

// Entry is one request in the log.
type Entry struct {
	At        time.Time
	RequestID string
	AccountID string
	AppID     string
	// APIKeyID is empty for a token or link, ConnectionID is empty for a key.
	APIKeyID, ConnectionID string
	Method                 string
	// Route is the template of the route, never the path of the request.
	Route   string
	Status  int32
	Latency time.Duration
	// Bytes of the answer's body.
	Bytes   int64
	Metered bool
	// ErrorCode is the public code of the error; empty for none.
	ErrorCode string
	// ResourceID is the id in the path; empty if there is none.
	ResourceID               string
	ClientAddress, UserAgent string
	// Country is that of ClientAddress, as ISO 3166-1 alpha-2, where the entry reads something of
	// a person; empty if it is not known. The log does not hold it.
	Country string
	// MinuteLeft and DayLeft are what was left of the budget afterwards; Unknown if that is
	// not known.
	MinuteLeft, DayLeft int32
	// RefusedBy is the limit that refused; empty if none did.
	RefusedBy string
	// ErrorMessage is what the client was told of the error, OtherFaults what else was wrong
	// with the request, a line each. Both are bounded and masked.
	ErrorMessage, OtherFaults string
}

// Unknown stands for what is left of a budget that is not known.
const Unknown int32 = -1

// Batch is a report of one replica of the gateway.
type Batch struct {
	ID      string
	Counts  []Count
	Entries []Entry
}

// KeyUses gives when each API key of the batch was used last: at its last entry, or now if
// it has counts only, since the gateway may have dropped the entries. No use is in the
// future, whatever the clocks of gateways say.
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
