package chain

import (
	"regexp"
	"strconv"
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
	// Code is the public code of the error, Message what the client was told, bounded and
	// masked; empty for none. OtherFaults are the faults of the request that the answer had
	// no room for.
	Code, Message string
	OtherFaults   []string
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

const (
	// maxMessage is how much of the message of an error is recorded, maxOtherFaults how much of
	// all other faults together, in bytes. Both wait for auth in every gateway, and a batch of
	// a thousand entries has to fit into a gRPC message.
	maxMessage     = 300
	maxOtherFaults = 700
)

// personal matches what a name in a body may be by mistake, and no log should hold: an address of
// email, a long number such as that of a phone, a token of somebody else. A message never repeats
// a value (package fault). It names the place of a fault in front of ": ", whose names the client
// has chosen.
var personal = regexp.MustCompile(`[^\s"@\[\]]+@[^\s"@\[\]]+|\+?[0-9](?:[ ().-]*[0-9]){8,}|[A-Za-z0-9_-]{48,}`)

// recordable is what may be recorded of a text that the client was answered with: at most so many
// bytes, on one line, without credentials and personal values.
func recordable(text string, most int) string {
	if text == "" {
		return ""
	}
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
	text = credential.Redact(text)
	if at := strings.LastIndex(text, ": "); at > 0 {
		text = personal.ReplaceAllLiteralString(text[:at], "…") + text[at:]
	}
	if len(text) <= most {
		return text
	}
	end := most - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// otherFaults are the first of the faults, as far as they may be recorded, and if there are more a
// line that says so.
func otherFaults(faults []string) []string {
	var kept []string
	room := maxOtherFaults
	for i, f := range faults {
		f = recordable(f, maxMessage)
		if room -= len(f) + 1; room < 0 {
			return append(kept, "and "+strconv.Itoa(len(faults)-i)+" more")
		}
		kept = append(kept, f)
	}
	return kept
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
