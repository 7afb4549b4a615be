package chain

import "time"

// Usage takes a record of every answered request of a known account. The goroutine
// of the request calls Record, so Record must not wait.
type Usage interface{ Record(Record) }

// Record describes one answered request of a known account
// (behaviour: usage#what-is-logged).
type Record struct {
	// At is when the request arrived.
	At        time.Time
	RequestID string
	// AccountID and AppID own the credential. APIKeyID is empty for a token or a link;
	// ConnectionID is empty for a key.
	AccountID, AppID, APIKeyID, ConnectionID string
	Method                                   string
	// Route is the template of the route, for example /v1/jobs/{jobId}.
	Route   string
	Status  int
	Latency time.Duration
	// Bytes is the size of the answer's body.
	Bytes int64
	// SpentAt is when the request was spent of the account's budget, by the clock that
	// counts the budget. It is zero if the request was not spent.
	SpentAt time.Time
}
