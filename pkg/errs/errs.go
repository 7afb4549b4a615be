package errs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind says what went wrong in terms that every transport can express.
type Kind int

// The kinds of error.
const (
	// Internal is a fault of ours. It is the kind of every error that is not an *Error.
	Internal Kind = iota
	// Invalid is a request that can never succeed as it is.
	Invalid
	// Unauthenticated is a missing, unknown or dead credential.
	Unauthenticated
	// Denied is a known caller that may not do this.
	Denied
	// NotFound is a thing that is not there, or not there for this caller.
	NotFound
	// Exists is a thing that is there already.
	Exists
	// Precondition is a request that the state of the thing forbids.
	Precondition
	// Exhausted is a limit that was reached; RetryAfter says when it clears.
	Exhausted
	// Unavailable is a part that is down now; the caller may try again.
	Unavailable
)

// CodeUnavailable is the reason of every Unavailable: whatever part is down, the caller may
// try again. It crosses every wire, so all parts take it from here.
const CodeUnavailable = "SERVICE_UNAVAILABLE"

// Violation is a field of a request that breaks a rule.
type Violation struct {
	// Field is the path of the field in the names of the .proto, for example
	// `questions[2].default_key`.
	Field string
	// Description says what the field must be. It does not repeat the path, and never
	// holds the value.
	Description string
}

// String is "field: description", or the description alone if there is no field.
func (v Violation) String() string {
	if v.Field == "" {
		return v.Description
	}
	return v.Field + ": " + v.Description
}

// Error is an error that may be shown to the caller.
type Error struct {
	// Kind of the error.
	Kind Kind
	// Code is the stable reason, for example "OAUTH_INVALID_GRANT".
	Code string
	// Message is human text. It never holds a cause, a secret or an address.
	Message string
	// Violations are the fields of the request that break a rule, in the order in
	// which the rules were checked. Empty if the error is about no field. Of a list that
	// was cut, the last has no field and says so.
	Violations []Violation
	// RetryAfter is how long to wait; zero when not known.
	RetryAfter time.Duration

	cause error
}

// New makes an error with a public message.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error gives code, message and cause. It is for logs, not for callers.
func (e *Error) Error() string {
	s := e.Code + ": " + e.Message
	if field := e.Field(); field != "" && !strings.HasPrefix(e.Message, field+": ") {
		s = e.Code + ": " + field + ": " + e.Message
	}
	if e.cause != nil {
		s += ": " + e.cause.Error()
	}
	return s
}

// Unwrap gives the cause, which stays inside the process.
func (e *Error) Unwrap() error { return e.cause }

// Field is the path of the first field that breaks a rule, empty if there is none.
func (e *Error) Field() string {
	if len(e.Violations) == 0 {
		return ""
	}
	return e.Violations[0].Field
}

// WithField returns a copy that names the one field that the error is about. The
// description of the violation is the message, without the path if it begins with it.
func (e *Error) WithField(path string) *Error {
	return e.WithViolations(Violation{Field: path, Description: strings.TrimPrefix(e.Message, path+": ")})
}

// WithViolations returns a copy that carries violations in place of its own.
func (e *Error) WithViolations(list ...Violation) *Error {
	c := *e
	c.Violations = slices.Clone(list)
	return &c
}

// WithCause returns a copy that carries a cause for the log.
func (e *Error) WithCause(err error) *Error { c := *e; c.cause = err; return &c }

// WithRetryAfter returns a copy that says how long to wait.
func (e *Error) WithRetryAfter(d time.Duration) *Error { c := *e; c.RetryAfter = d; return &c }

// As finds the *Error in err's chain.
func As(err error) (*Error, bool) {
	if err == nil {
		return nil, false // most calls succeed, and ask several times
	}
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// HasCode reports whether err carries the reason code.
func HasCode(err error, code string) bool {
	e, ok := As(err)
	return ok && e.Code == code
}

// KindOf gives the kind of err; Internal when it is not an *Error.
func KindOf(err error) Kind {
	if e, ok := As(err); ok {
		return e.Kind
	}
	return Internal
}
