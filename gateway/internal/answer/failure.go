package answer

import (
	"math"
	"net/http"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// Failure is an error in the form that the client sees.
type Failure struct {
	// Status is the HTTP status.
	Status int
	// Code is a public error code (behaviour: errors).
	Code string
	// Message is a message for people that reveals nothing internal.
	Message string
	// RetryAfter is the value of the Retry-After header, in seconds. If it is 0, the header is
	// omitted.
	RetryAfter int
}

// defaultRetryAfter is the Retry-After value of a 503, in seconds. Connections to a restarted service are
// usually restored within that time.
const defaultRetryAfter = 2

// FailureOf returns what the client may see of err. It hides the cause of internal errors.
func FailureOf(err error) Failure {
	e, ok := errs.As(err)
	if !ok {
		return internal
	}
	if status, public := StatusOf(e.Code); public && status < http.StatusInternalServerError {
		return Failure{Status: status, Code: e.Code, Message: message(e), RetryAfter: retryAfter(e, status)}
	}
	switch e.Kind {
	case errs.Unavailable, errs.Exhausted:
		f := unavailable
		f.RetryAfter = max(WholeSeconds(e.RetryAfter), defaultRetryAfter)
		return f
	case errs.Invalid:
		return Failure{Status: http.StatusBadRequest, Code: CodeInvalid, Message: place(e)}
	default:
		return internal
	}
}

var (
	internal    = Failure{Status: http.StatusInternalServerError, Code: CodeInternal, Message: "Internal error."}
	unavailable = Failure{Status: http.StatusServiceUnavailable, Code: CodeUnavailable,
		Message: "A part of the service is not available now. Try again shortly."}
)

// message returns the message for an error with a public code.
func message(e *errs.Error) string {
	if e.Code == CodeInvalid {
		return place(e)
	}
	return e.Message
}

// place returns the description of the first invalid field, prefixed with the field's JSON path
// (behaviour: errors#which-fault-is-reported).
func place(e *errs.Error) string {
	if e.Field() == "" {
		return e.Message
	}
	return fault.JSONPath(e.Field()) + ": " + e.Violations[0].Description
}

// retryAfter returns the value for Retry-After. For a 429, it is at least one second, because the meta must
// contain retryAfter.
func retryAfter(e *errs.Error, status int) int {
	if status == http.StatusTooManyRequests {
		return max(WholeSeconds(e.RetryAfter), 1)
	}
	return WholeSeconds(e.RetryAfter)
}

// WholeSeconds returns d in seconds, rounded up, so that a client that waits this long does not
// retry too early.
func WholeSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
