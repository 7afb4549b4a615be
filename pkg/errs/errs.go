package errs

import (
	"errors"
	"fmt"
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

// Error is an error that may be shown to the caller.
type Error struct {
	// Kind of the error.
	Kind Kind
	// Code is the stable reason, for example "OAUTH_INVALID_GRANT".
	Code string
	// Message is human text. It never holds a cause, a secret or an address.
	Message string
	// Field is the JSON path of the offending field, if there is one.
	Field string
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
	if e.Field != "" {
		s = e.Code + ": " + e.Field + ": " + e.Message
	}
	if e.cause != nil {
		s += ": " + e.cause.Error()
	}
	return s
}

// Unwrap gives the cause, which stays inside the process.
func (e *Error) Unwrap() error { return e.cause }

// WithField returns a copy that names the offending field.
func (e *Error) WithField(path string) *Error { c := *e; c.Field = path; return &c }

// WithCause returns a copy that carries a cause for the log.
func (e *Error) WithCause(err error) *Error { c := *e; c.cause = err; return &c }

// WithRetryAfter returns a copy that says how long to wait.
func (e *Error) WithRetryAfter(d time.Duration) *Error { c := *e; c.RetryAfter = d; return &c }

// As finds the *Error in err's chain.
func As(err error) (*Error, bool) {
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
