package answer

import (
	"maps"
	"math"
	"net/http"
	"slices"
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
	// RetryAfter is in seconds. If it is 0, the header is omitted.
	RetryAfter int
}

// These are the public error codes that the gateway uses in code. statuses contains all of them.
const (
	CodeInternal           = "INTERNAL_ERROR"
	CodeUnavailable        = errs.CodeUnavailable
	CodeNotFound           = "NOT_FOUND"
	CodeMethodNotAllowed   = "METHOD_NOT_ALLOWED"
	CodePayloadTooLarge    = "PAYLOAD_TOO_LARGE"
	CodeUnsupportedType    = "UNSUPPORTED_MEDIA_TYPE"
	CodeInvalid            = fault.CodeValidation
	CodeOAuthRequest       = "OAUTH_INVALID_REQUEST"
	CodeOAuthClient        = "OAUTH_INVALID_CLIENT"
	codeOAuthGrant         = "OAUTH_INVALID_GRANT"
	CodeOAuthGrantType     = "OAUTH_UNSUPPORTED_GRANT_TYPE"
	CodeOAuthToken         = "OAUTH_INVALID_TOKEN"
	CodeOAuthScope         = "OAUTH_INSUFFICIENT_SCOPE"
	CodeAPIKeyInvalid      = "API_KEY_INVALID"
	CodeAPIKeyScope        = "API_KEY_INSUFFICIENT_SCOPE"
	CodeAccountSuspended   = "DEVELOPER_ACCOUNT_SUSPENDED"
	CodePlatformDisabled   = "DEVELOPER_PLATFORM_DISABLED"
	CodeCVNotFound         = "CV_NOT_FOUND"
	CodeCVLinkNotFound     = "CV_LINK_NOT_FOUND"
	CodeConnectionNotFound = "CONNECTION_NOT_FOUND"
	CodePhotoNotFound      = "PHOTO_NOT_FOUND"
)

// statuses maps every public code to its HTTP status (behaviour: errors#codes-of-every-endpoint). Other codes
// are internal and never reach a client.
var statuses = map[string]int{
	CodeOAuthRequest:            http.StatusBadRequest,
	CodeOAuthClient:             http.StatusUnauthorized,
	codeOAuthGrant:              http.StatusBadRequest,
	"OAUTH_INVALID_SCOPE":       http.StatusBadRequest,
	"OAUTH_UNAUTHORIZED_CLIENT": http.StatusBadRequest,
	CodeOAuthGrantType:          http.StatusBadRequest,
	"OAUTH_ACCESS_DENIED":       http.StatusForbidden,
	CodeOAuthToken:              http.StatusUnauthorized,
	CodeOAuthScope:              http.StatusForbidden,

	CodeAPIKeyInvalid:            http.StatusUnauthorized,
	CodeAPIKeyScope:              http.StatusForbidden,
	"COMPANY_NOT_MANAGED_BY_APP": http.StatusForbidden,
	CodeInvalid:                  http.StatusBadRequest,
	"JOB_NOT_FOUND":              http.StatusNotFound,
	"APPLICATION_NOT_FOUND":      http.StatusNotFound,
	CodeCVNotFound:               http.StatusNotFound,
	CodeCVLinkNotFound:           http.StatusNotFound,
	CodeConnectionNotFound:       http.StatusNotFound,
	CodePhotoNotFound:            http.StatusNotFound,
	CodePlatformDisabled:         http.StatusNotFound,

	"RATE_LIMIT_EXCEEDED": http.StatusTooManyRequests,
	"QUOTA_EXCEEDED":      http.StatusTooManyRequests,
	CodeAccountSuspended:  http.StatusForbidden,

	CodeNotFound:         http.StatusNotFound,
	CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	CodePayloadTooLarge:  http.StatusRequestEntityTooLarge,
	CodeUnsupportedType:  http.StatusUnsupportedMediaType,
	CodeInternal:         http.StatusInternalServerError,
	CodeUnavailable:      http.StatusServiceUnavailable,
}

// StatusOf returns the HTTP status of a code and reports whether the code is public.
func StatusOf(code string) (status int, public bool) {
	status, public = statuses[code]
	return status, public
}

// Codes returns the public codes in alphabetical order.
func Codes() []string { return slices.Sorted(maps.Keys(statuses)) }

// defaultRetryAfter is the Retry-After value of a 503, in seconds. Connections to a restarted service are
// usually restored within that time.
const defaultRetryAfter = 2

// FailureOf returns the failure that the client may see for err. It hides the cause of internal errors.
func FailureOf(err error) Failure {
	e, ok := errs.As(err)
	if !ok {
		return internal
	}
	if status, public := statuses[e.Code]; public && status < http.StatusInternalServerError {
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

// WholeSeconds rounds up, so that a client that waits for this time is not too early.
func WholeSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
