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

// Usage receives a record of every answered request of a known account. Record runs in
// the request's goroutine, so it must not block.
type Usage interface{ Record(Record) }

// Record describes one answered request of a known account
// (behaviour: usage#logged-requests).
type Record struct {
	// At is when the request arrived.
	At        time.Time
	RequestID string
	Caller
	Method string
	// Route is the template of the route, for example /v1/jobs/{jobId}. Reads is that of the Route.
	Route   string
	Reads   string
	Status  int
	Latency time.Duration
	// Bytes is the size of the response's body.
	Bytes int64
	// ChargedAt and Limits are those of the Exchange.
	ChargedAt time.Time
	Limits    LimitState
	// Code is the public code of the error, Message its text, truncated and masked; both are
	// empty on success. OtherFaults are further faults of the request, which the response
	// does not name.
	Code, Message string
	OtherFaults   []string
	// ResourceID is the id in the path; empty if the path has no valid id.
	ResourceID string
	// UserAgent is truncated, without anything that looks like a credential.
	ClientAddress, UserAgent string
}

// maxUserAgent limits the recorded User-Agent, in characters.
const maxUserAgent = 200

// userAgent truncates and masks a User-Agent, which may contain a credential by mistake.
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
	// maxMessage limits the recorded message of an error, maxOtherFaults all other faults
	// together, in bytes: a batch of a thousand entries must fit into a gRPC message.
	maxMessage     = 300
	maxOtherFaults = 700
)

// personal matches text that no log should hold: email addresses, long numbers such as phone
// numbers, and tokens. Messages never repeat a value (package fault), but they begin with the
// JSON path of a fault and ": ", and the client chooses the names in that path.
var personal = regexp.MustCompile(`[^\s"@\[\]]+@[^\s"@\[\]]+|\+?[0-9](?:[ ().-]*[0-9]){8,}|[A-Za-z0-9_-]{48,}`)

// recordable returns an error message in a form that may be recorded: on one line, at most that
// many bytes, with credentials and personal data masked.
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

// otherFaults returns the first faults that fit into maxOtherFaults, and the number of the others.
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

// resourceID returns the value of a path parameter if it is a valid id, else "". Anything else
// must not be recorded: it may be a mistake of the client, or a token, which is a credential.
func resourceID(parameter, value string) string {
	kind, _, _ := strings.Cut(value, "_")
	if !strings.HasSuffix(parameter, "Id") || len(kind) != 3 || !id.Valid(kind, value) {
		return ""
	}
	return value
}
