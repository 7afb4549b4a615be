package requestlog

import "time"

// Retention is the time for which a request stays in the log (behaviour: usage#retention).
const Retention = 30 * day

const day = 24 * time.Hour

// Entry is one request in the log.
type Entry struct {
	At        time.Time
	RequestID string
	AccountID string
	AppID     string
	// APIKeyID is empty for a request with a token or link; ConnectionID is empty for a request
	// with a key.
	APIKeyID, ConnectionID string
	Method                 string
	// Route is the template of the route, never the path of the request.
	Route   string
	Status  int32
	Latency time.Duration
	// Bytes is the size of the response body.
	Bytes   int64
	Metered bool
	// ErrorCode is the public code of the error, or empty if there is none.
	ErrorCode string
	// ResourceID is the id in the path, or empty if there is none.
	ResourceID               string
	ClientAddress, UserAgent string
	// Reads is the kind of data that a successful request of this route reads (RequestEntry.reads
	// of the contract). Country is the country of ClientAddress (ISO 3166-1 alpha-2) if the entry
	// reads a person's data, or empty if it is unknown. The log doesn't store either of them.
	Reads, Country string
	// MinuteLeft and DayLeft are the remaining budgets after the request, or Unknown.
	MinuteLeft, DayLeft int32
	// RefusedBy is the limit that rejected the request, or empty if none did.
	RefusedBy string
	// ErrorMessage is the error message for the client. OtherFaults lists the other validation
	// errors in the request, one per line. Both are truncated and masked.
	ErrorMessage, OtherFaults string
}

// Unknown is the value for an unknown remaining budget.
const Unknown int32 = -1

// Position is a position in the log, which is ordered from the newest to the oldest entry.
type Position struct {
	At        time.Time
	RequestID string
}

// End returns the time from which on the log accepts no requests (behaviour: usage#late-entries).
func End(now time.Time) time.Time { return now.UTC().Truncate(day).Add(2 * day) }
