package middleware

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"vitae.internal/pkg/errs"

	"vitae.internal/gateway/internal/rest"
)

// MaxBody is the largest request body in bytes (decision 2).
const MaxBody = 1 << 20

// drained is how much of a body that is refused is still read, in bytes: a client
// that writes all before it reads would otherwise see a reset connection, not 413.
const drained = 8 << 20

// LimitBody refuses a body that is too large, when its length is announced here,
// otherwise where the handler reads it; BodyError tells that error apart.
func LimitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > MaxBody {
			if r.Header.Get("Expect") == "" { // who waits for leave to send gets the answer first
				_, _ = io.CopyN(io.Discard, r.Body, drained)
			}
			w.Header().Set("Connection", "close")
			Fail(w, r, errTooLarge)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
		next.ServeHTTP(w, r)
	})
}

var errTooLarge = errs.New(errs.Invalid, rest.CodePayloadTooLarge, "The request body is larger than 1 MiB.")

// BodyError says what an error from reading the body means.
func BodyError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return errTooLarge
	}
	return errs.New(errs.Invalid, rest.CodeOAuthRequest, "The request body could not be read.").WithCause(err)
}

// Deadline bounds the time in which the route's handler must answer.
func Deadline(d time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), d)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Platform refuses everything while the developer platform is switched off.
func Platform(on bool, next http.Handler) http.Handler {
	if on {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Fail(w, r, errs.New(errs.NotFound, rest.CodePlatformDisabled, "The developer platform is switched off."))
	})
}

// WellFormedQuery refuses a query that cannot be read. What it can read and no
// route knows is ignored.
func WellFormedQuery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := url.QueryUnescape(r.URL.RawQuery); err != nil {
			Fail(w, r, errs.New(errs.Invalid, rest.CodeInvalid, "The query is not well-formed."))
			return
		}
		next.ServeHTTP(w, r)
	})
}
