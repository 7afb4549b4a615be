package chain

import "time"

// Usage takes the requests of known accounts that were answered. It is called for
// every answer and must not wait.
type Usage interface{ Record(Record) }

// Record is what is kept of a request that was answered, of a known account
// (behaviour: usage#what-is-logged).
type Record struct {
	// At is when the request came in.
	At        time.Time
	RequestID string
	// AccountID and AppID own the credential. APIKeyID is empty for a token or link,
	// ConnectionID for a key.
	AccountID, AppID, APIKeyID, ConnectionID string
	Method                                   string
	// Route is the template of the route.
	Route   string
	Status  int
	Latency time.Duration
	// Bytes of the answer's body.
	Bytes int64
	// SpentAt is when the request was spent of the account's budget, by the clock that
	// counts the budget; zero if it was not spent.
	SpentAt time.Time
}
