package errs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind classifies errors. Every transport can express all kinds.
type Kind int

// Kinds of errors.
const (
	// Internal is an error in Vitae itself. Every error that is not an *Error has this kind.
	Internal Kind = iota
	// Invalid is a request that can never succeed.
	Invalid
	// Unauthenticated is a missing, unknown or revoked credential.
	Unauthenticated
	// Denied is an identified caller that lacks a permission.
	Denied
	// NotFound is an object that does not exist or that the caller may not see.
	NotFound
	// Exists is an object that already exists.
	Exists
	// Precondition is a request that conflicts with the state of the object.
	Precondition
	// Exhausted is an exceeded limit. RetryAfter is the time until it resets.
	Exhausted
	// Unavailable is a service that is currently down. The caller may retry.
	Unavailable
)

// CodeUnavailable is the reason code of every Unavailable error, whichever service is down.
const CodeUnavailable = "SERVICE_UNAVAILABLE"

// Violation is an invalid field of a request, with the rule that it violates.
type Violation struct {
	// Field is the path of the field in proto names, for example `questions[2].default_key`.
	Field string
	// Description is a clause such as "must not be blank". It contains neither the path nor the
	// value.
	Description string
}

// String returns "field: description", or only the description if no field is set.
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
	// Message is a sentence for people. It never contains a cause, a secret or a network address.
	Message string
	// Violations lists the invalid fields in the order in which they were checked, and is empty if
	// the error does not concern a field. If the list was truncated, its last entry has no field and
	// reports that there were more.
	Violations []Violation
	// RetryAfter is the time to wait before a retry, or 0 if unknown.
	RetryAfter time.Duration

	cause error
}

// New returns an error with the given kind and code. The message, a format with arguments, is shown
// to callers.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error returns the code, message and cause for logs. It must not be shown to callers.
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

// Unwrap returns the cause, which must not be shown to callers.
func (e *Error) Unwrap() error { return e.cause }

// Field returns the path of the first invalid field, or "" if there is none.
func (e *Error) Field() string {
	if len(e.Violations) == 0 {
		return ""
	}
	return e.Violations[0].Field
}

// WithField returns a copy of e with a single invalid field. Its description is the error's message
// without the path.
func (e *Error) WithField(path string) *Error {
	return e.WithViolations(Violation{Field: path, Description: strings.TrimPrefix(e.Message, path+": ")})
}

// WithViolations returns a copy of e in which list replaces the violations.
func (e *Error) WithViolations(list ...Violation) *Error {
	c := *e
	c.Violations = slices.Clone(list)
	return &c
}

// WithCause returns a copy of e with a cause, which appears only in logs.
func (e *Error) WithCause(err error) *Error { c := *e; c.cause = err; return &c }

// WithRetryAfter returns a copy of e with a retry delay.
func (e *Error) WithRetryAfter(d time.Duration) *Error { c := *e; c.RetryAfter = d; return &c }

// As returns the first *Error in err's chain, and whether there is one.
func As(err error) (*Error, bool) {
	if err == nil {
		return nil, false // this is the common case, which must be cheap
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

// KindOf returns the kind of err, or Internal if err is not an *Error.
func KindOf(err error) Kind {
	if e, ok := As(err); ok {
		return e.Kind
	}
	return Internal
}
