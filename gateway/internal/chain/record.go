package chain

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
)

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
	// Code is the public code of the error; empty for none.
	Code string
	// ResourceID is the id in the path; empty if there is none of Vitae's.
	ResourceID string
	// ClientAddress is the address of the client, UserAgent what it calls itself, bounded
	// and without anything that looks like a credential.
	ClientAddress, UserAgent string
	Limits                   LimitState
}

// maxUserAgent is how much of a User-Agent is recorded, in characters.
const maxUserAgent = 200

// userAgent is what may be recorded of a User-Agent. A client writes what it likes there,
// which may be a credential by mistake.
func userAgent(sent string) string {
	if sent == "" {
		return ""
	}
	kept := 0
	agent := strings.Map(func(r rune) rune {
		if kept++; kept > maxUserAgent || r == utf8.RuneError || unicode.IsControl(r) {
			return -1
		}
		return r
	}, sent)
	return credential.Redact(agent)
}

// resourceID is the value of a parameter of a path if it may be recorded: it has the form
// of our ids. Anything else could be what a client has put there by mistake, and a token in
// a path is a credential.
func resourceID(parameter, value string) string {
	kind, _, _ := strings.Cut(value, "_")
	if !strings.HasSuffix(parameter, "Id") || len(kind) != 3 || !id.Valid(kind, value) {
		return ""
	}
	return value
}
