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

// ErrNoCredential is the cause of a failed authentication if the request sent no
// credential at all. The challenge then names no error (RFC 6750 §3.1).
var ErrNoCredential = errors.New("no credential was sent")

// Realm is the protection space of every challenge (RFC 9110 §11.5).
const Realm = `realm="vitae"`

// ErrorWriter answers a request with an error.
type ErrorWriter func(w http.ResponseWriter, r *http.Request, err error)

// Errors answers with failures in the envelope.
type Errors struct {
	// Log takes the causes that the answers do not show.
	Log *slog.Logger
}

// Write answers with err in the envelope.
func (e Errors) Write(w http.ResponseWriter, r *http.Request, err error) {
	f := e.Begin(w, r, err)
	body := failureEnvelope{Error: failureError{Code: f.Code, Message: f.Message}}
	if f.Status == http.StatusTooManyRequests {
		body.Meta = &retryMeta{RetryAfter: f.RetryAfter}
	}
	WriteJSON(w, f.Status, body)
}

// Begin logs err if the gateway or a part behind it is at fault, sets the headers
// that every shape of error has in common, and returns the failure that the client
// may see.
func (e Errors) Begin(w http.ResponseWriter, r *http.Request, err error) Failure {
	f := FailureOf(err)
	e.BeginAs(w, r, f, err)
	return f
}

// BeginAs is Begin for an interface with codes of its own. f is the failure that the
// client of that interface may see.
func (e Errors) BeginAs(w http.ResponseWriter, r *http.Request, f Failure, err error) {
	ctx := r.Context()
	switch {
	case f.Status == http.StatusInternalServerError:
		e.Log.ErrorContext(ctx, "request failed", "request_id", grpcx.RequestID(ctx), "error", err)
	case f.Status == http.StatusServiceUnavailable && ctx.Err() == nil:
		e.Log.WarnContext(ctx, "request unavailable", "request_id", grpcx.RequestID(ctx), "error", err)
	}
	if said, ok := ctx.Value(saidKey{}).(*Said); ok {
		*said = Said{Code: f.Code, Message: cmp.Or(reason(err), f.Message), Others: others(f, err)}
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	for _, name := range []string{"ETag", "Content-Disposition"} {
		h.Del(name) // these describe the document that is not sent now
	}
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if c := challenge(f, err); c != "" && h.Get("WWW-Authenticate") == "" {
		h.Set("WWW-Authenticate", c)
	}
}

// Said is what a client was told of a failure, for the request log.
type Said struct {
	// Code is that of the answer, Message too, but for a refused grant, of which the answer may not
	// say what was wrong: there it is the reason.
	Code, Message string
	// Others are the faults of the request that the answer does not name, which has room for
	// one.
	Others []string
}

type saidKey struct{}

// WithSaid returns a context in which the failure that the client is answered with is
// written to said.
func WithSaid(ctx context.Context, said *Said) context.Context {
	return context.WithValue(ctx, saidKey{}, said)
}

// reason is why a code or refresh token was refused (behaviour: usage#messages-of-errors); "" for
// other errors.
func reason(err error) string {
	if e, ok := errs.As(err); ok && e.Code == codeOAuthGrant && len(e.Violations) > 0 {
		return e.Violations[0].Description
	}
	return ""
}

// others are the faults of err behind the first, if the answer names the first.
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

// challenge returns the WWW-Authenticate value for a failed authentication, "" for
// other failures (RFC 6750 §3, RFC 6749 §5.2). A handler that knows more has set the
// header already.
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

// quotable removes what a quoted-string cannot hold without escapes (RFC 9110
// §5.6.4).
func quotable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e || r == '"' || r == '\\' {
			return -1
		}
		return r
	}, s)
}

// NotFound is the error for a path that is not served
// (behaviour: errors#codes-of-every-endpoint).
func NotFound() error {
	return errs.New(errs.NotFound, CodeNotFound, "There is nothing at this path.")
}

// PayloadTooLarge is the error for a body above the size limit.
func PayloadTooLarge() error {
	return errs.New(errs.Invalid, CodePayloadTooLarge, "The request body is larger than 1 MiB.")
}

// UnsupportedType is the error for a body whose Content-Type the route does not
// take.
func UnsupportedType(message string) error {
	return errs.New(errs.Invalid, CodeUnsupportedType, "%s", message)
}

// MethodNotAllowed is the error for a path that is not served with this method.
// The caller sets Allow.
func MethodNotAllowed() error {
	return errs.New(errs.Invalid, CodeMethodNotAllowed, "This path does not take the request's method.")
}
