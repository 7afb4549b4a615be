package answer

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/grpcx"
)

// ErrNoCredential is the cause of an authentication error if the request has no credential. The challenge then
// has no error code (RFC 6750 §3.1).
var ErrNoCredential = errors.New("no credential was sent")

// Realm is the protection space of every challenge (RFC 9110 §11.5).
const Realm = `realm="vitae"`

// ErrorWriter writes the response for an error.
type ErrorWriter func(w http.ResponseWriter, r *http.Request, err error)

// Errors writes error responses in the envelope.
type Errors struct {
	// Log receives the causes that responses do not reveal.
	Log *slog.Logger
}

// Write writes the response for err in the envelope.
func (e Errors) Write(w http.ResponseWriter, r *http.Request, err error) {
	f := FailureOf(err)
	e.Begin(w, r, f, err)
	body := failureEnvelope{Error: failureError{Code: f.Code, Message: f.Message}}
	if f.Status == http.StatusTooManyRequests {
		body.Meta = &retryMeta{RetryAfter: f.RetryAfter}
	}
	WriteJSON(w, f.Status, body)
}

// Begin sets the headers that all error formats share, and logs err if it is an internal error or an outage.
// f is the failure that the client may see.
func (e Errors) Begin(w http.ResponseWriter, r *http.Request, f Failure, err error) {
	ctx := r.Context()
	switch {
	case f.Status == http.StatusInternalServerError:
		e.Log.ErrorContext(ctx, "request failed", "request_id", grpcx.RequestID(ctx), "error", err)
	case f.Status == http.StatusServiceUnavailable && ctx.Err() == nil:
		e.Log.WarnContext(ctx, "request unavailable", "request_id", grpcx.RequestID(ctx), "error", err)
	}
	if reported, ok := ctx.Value(reportedKey{}).(*Reported); ok {
		*reported = Reported{Code: f.Code, Message: cmp.Or(reason(err), f.Message), Others: others(f, err)}
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	for _, name := range []string{"ETag", "Content-Disposition"} {
		h.Del(name) // these headers describe the document, not the error
	}
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if c := challenge(f, err); c != "" && h.Get("WWW-Authenticate") == "" {
		h.Set("WWW-Authenticate", c)
	}
}

// Reported describes an error response for the request log.
type Reported struct {
	// Code and Message have the same values as in the response. The exception is a rejected grant: Message
	// is then the reason, which the response must not reveal.
	Code, Message string
	// Others lists all of the request's errors except the first, which is the only one in the
	// response.
	Others []string
}

type reportedKey struct{}

// WithReported returns a context that makes Begin store a description of the failure in reported.
func WithReported(ctx context.Context, reported *Reported) context.Context {
	return context.WithValue(ctx, reportedKey{}, reported)
}

// reason returns why a code or refresh token was rejected, or "" for other errors
// (behaviour: usage#messages-of-errors).
func reason(err error) string {
	if e, ok := errs.As(err); ok && e.Code == codeOAuthGrant && len(e.Violations) > 0 {
		return e.Violations[0].Description
	}
	return ""
}

// others returns all violations in err except the first, if the response shows only the first.
func others(f Failure, err error) []string {
	e, ok := errs.As(err)
	if !ok || len(e.Violations) < 2 || f.Status >= http.StatusInternalServerError {
		return nil
	}
	rest := make([]string, 0, len(e.Violations)-1)
	for _, v := range e.Violations[1:] {
		rest = append(rest, errs.Violation{Field: fault.JSONPath(v.Field), Description: v.Description}.String())
	}
	return rest
}

// challenge returns the WWW-Authenticate value for an authentication error, or "" for other errors (RFC 6750
// §3, RFC 6749 §5.2). It is not used if a handler has set a more specific challenge.
func challenge(f Failure, err error) string {
	switch {
	case f.Code == CodeOAuthScope || f.Code == CodeAPIKeyScope:
		return "Bearer " + Realm + `, error="insufficient_scope"`
	case f.Status != http.StatusUnauthorized:
		return ""
	case f.Code == CodeOAuthClient:
		return "Basic " + Realm
	case errors.Is(err, ErrNoCredential):
		return "Bearer " + Realm
	default:
		return "Bearer " + Realm + `, error="invalid_token", error_description="` + quotable(f.Message) + `"`
	}
}

// quotable removes characters that must be escaped in a quoted-string (RFC 9110 §5.6.4).
func quotable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e || r == '"' || r == '\\' {
			return -1
		}
		return r
	}, s)
}

// NotFound returns the error for an unknown path (behaviour: errors#codes-of-every-endpoint).
func NotFound() error {
	return errs.New(errs.NotFound, CodeNotFound, "There is nothing at this path.")
}

// PayloadTooLarge returns the error for a body above the size limit.
func PayloadTooLarge() error {
	return errs.New(errs.Invalid, CodePayloadTooLarge, "The request body is larger than 1 MiB.")
}

// UnsupportedType returns the error for a Content-Type that the route does not accept.
func UnsupportedType(message string) error {
	return errs.New(errs.Invalid, CodeUnsupportedType, "%s", message)
}

// MethodNotAllowed returns the error for a method that the path does not support. The caller sets Allow.
func MethodNotAllowed() error {
	return errs.New(errs.Invalid, CodeMethodNotAllowed, "This path does not take the request's method.")
}
