package errs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind classifies errors in a way that every transport can express.
type Kind int

// The kinds of errors.
const (
	// Internal is an error of our own. Every error that is not an *Error has this kind.
	Internal Kind = iota
	// Invalid is a request that can never succeed.
	Invalid
	// Unauthenticated is a missing, unknown or ended credential.
	Unauthenticated
	// Denied is a known caller without permission.
	Denied
	// NotFound is an object that does not exist, or not for this caller.
	NotFound
	// Exists is an object that already exists.
	Exists
	// Precondition is a request that conflicts with the state of the object.
	Precondition
	// Exhausted is an exceeded limit. RetryAfter is when it resets.
	Exhausted
	// Unavailable is a service that is currently down. The caller may try again.
	Unavailable
)

// CodeUnavailable is the reason code of every Unavailable error, whichever service is down.
const CodeUnavailable = "SERVICE_UNAVAILABLE"

// Violation is a field of a request that violates a rule.
type Violation struct {
	// Field is the path of the field in proto names, for example `questions[2].default_key`.
	Field string
	// Description states what the field must be. It contains neither the path nor the value.
	Description string
}

// String returns "field: description", or only the description without a field.
func (v Violation) String() string {
	if v.Field == "" {
		return v.Description
	}
	return v.Field + ": " + v.Description
}

// Error is an error that is safe to show to the caller.
type Error struct {
	Kind Kind
	// Code is the stable reason code, for example "OAUTH_INVALID_GRANT".
	Code string
	// Message is text for people. It never contains a cause, a secret or an address.
	Message string
	// Violations are the invalid fields, in the order of the checks. It is empty if the error
	// concerns no field. The last violation of a truncated list has no field and says so.
	Violations []Violation
	// RetryAfter is how long to wait, 0 if unknown.
	RetryAfter time.Duration

	cause error
}

// New returns an error with a public message.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error returns the code, message and cause for logs. It is not for callers.
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

// Unwrap returns the cause, which callers must not see.
func (e *Error) Unwrap() error { return e.cause }

// Field returns the path of the first invalid field, or an empty string.
func (e *Error) Field() string {
	if len(e.Violations) == 0 {
		return ""
	}
	return e.Violations[0].Field
}

// WithField returns a copy with one invalid field. The violation's description is the message without
// the path.
func (e *Error) WithField(path string) *Error {
	return e.WithViolations(Violation{Field: path, Description: strings.TrimPrefix(e.Message, path+": ")})
}

// WithViolations returns a copy with other violations.
func (e *Error) WithViolations(list ...Violation) *Error {
	c := *e
	c.Violations = slices.Clone(list)
	return &c
}

// WithCause returns a copy with a cause for the log.
func (e *Error) WithCause(err error) *Error { c := *e; c.cause = err; return &c }

// WithRetryAfter returns a copy with the time to wait.
func (e *Error) WithRetryAfter(d time.Duration) *Error { c := *e; c.RetryAfter = d; return &c }

// As returns the *Error in err's chain.
func As(err error) (*Error, bool) {
	if err == nil {
		return nil, false // the common case, which must be cheap
	}
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// HasCode reports whether err has the reason code.
func HasCode(err error, code string) bool {
	e, ok := As(err)
	return ok && e.Code == code
}

// KindOf returns the kind of err, which is Internal if it is not an *Error.
func KindOf(err error) Kind {
	if e, ok := As(err); ok {
		return e.Kind
	}
	return Internal
}
