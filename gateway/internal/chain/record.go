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

// Usage receives a record of every completed request on behalf of a known account. Record runs in the
// request's goroutine, so it must not block.
type Usage interface{ Record(Record) }

// Record describes a completed request on behalf of a known account
// (behaviour: usage#logged-requests).
type Record struct {
	// At is the time at which the request arrived.
	At        time.Time
	RequestID string
	Caller
	Method string
	// Route is the template of the route, for example /v1/jobs/{jobId}. Reads is copied from the Route.
	Route   string
	Reads   string
	Status  int
	Latency time.Duration
	// Bytes is the size of the response body.
	Bytes int64
	// ChargedAt and Limits are copied from the Exchange.
	ChargedAt time.Time
	Limits    LimitState
	// Code is the public error code. Message is the error message, truncated and masked. Both are empty on
	// success. OtherFaults lists the request's other errors, which the response does not contain.
	Code, Message string
	OtherFaults   []string
	// ResourceID is the id in the path, or "" if the path has no valid id.
	ResourceID string
	// UserAgent is truncated and does not contain anything that looks like a credential.
	ClientAddress, UserAgent string
}

// maxUserAgent is the maximum length of the recorded User-Agent, in characters.
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
	// maxMessage is the maximum length of a recorded error message, and maxOtherFaults of all other errors
	// together, in bytes. With these limits, a batch of a thousand entries fits into a gRPC message.
	maxMessage     = 300
	maxOtherFaults = 700
)

// personal matches text that a log must not contain: email addresses, long numbers such as phone numbers, and
// tokens. Messages never repeat a value (package fault). However, they begin with the JSON path of the error
// and ": ", and the client chooses the names in that path.
var personal = regexp.MustCompile(`[^\s"@\[\]]+@[^\s"@\[\]]+|\+?[0-9](?:[ ().-]*[0-9]){8,}|[A-Za-z0-9_-]{48,}`)

// recordable returns an error message in a form that may be recorded: one line of at most the given number of
// bytes, with credentials and personal data masked.
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

// otherFaults returns the first errors that fit into maxOtherFaults, and the number of errors that
// it omitted.
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

// resourceID returns the value of a path parameter if it is a valid id, and "" otherwise. Invalid ids must not
// be recorded: the client may have sent something else by mistake, such as a token, which is a credential.
func resourceID(parameter, value string) string {
	kind, _, _ := strings.Cut(value, "_")
	if !strings.HasSuffix(parameter, "Id") || len(kind) != 3 || !id.Valid(kind, value) {
		return ""
	}
	return value
}
