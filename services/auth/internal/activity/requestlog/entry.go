package requestlog

import "time"

// Retention is how long a request stays in the log (behaviour: usage#retention).
const Retention = 30 * day

const day = 24 * time.Hour

// Entry is one request in the log.
type Entry struct {
	At        time.Time
	RequestID string
	AccountID string
	AppID     string
	// APIKeyID is empty for a request made with a token or link; ConnectionID is empty for a request made with a
	// key.
	APIKeyID, ConnectionID string
	Method                 string
	// Route is the route template, never the path of the actual request.
	Route   string
	Status  int32
	Latency time.Duration
	// Bytes is the size of the response body.
	Bytes   int64
	Metered bool
	// ErrorCode is the public error code, or empty if there was no error.
	ErrorCode string
	// ResourceID is the id in the request path, or empty if there is none.
	ResourceID               string
	ClientAddress, UserAgent string
	// Reads is the kind of data that a successful request to this route reads (RequestEntry.reads in the .proto
	// file). If the request reads a person's data, Country is the country of ClientAddress (ISO 3166-1 alpha-2), or
	// empty if unknown. The log stores neither of them.
	Reads, Country string
	// MinuteLeft and DayLeft are the budgets that remain after the request, or Unknown.
	MinuteLeft, DayLeft int32
	// RefusedBy is the limit that rejected the request, or empty if it was not rejected.
	RefusedBy string
	// ErrorMessage is the error message for the client. OtherFaults lists the other validation
	// errors in the request, one per line. Both are truncated and masked.
	ErrorMessage, OtherFaults string
}

// Unknown means that a remaining budget is unknown.
const Unknown int32 = -1

// Position is a position in the log, which is ordered from the newest to the oldest entry.
type Position struct {
	At        time.Time
	RequestID string
}

// End returns the time from which the log accepts no requests (behaviour: usage#late-entries).
func End(now time.Time) time.Time { return now.UTC().Truncate(day).Add(2 * day) }
