package chain

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

// MaxBody is the largest request body in bytes (decision 2).
const MaxBody = 1 << 20

// drained is how much of a body that is refused is still read, in bytes: a client
// that writes all before it reads would otherwise see a reset connection, not 413.
const drained = 8 << 20

// limitBody bounds the body. One that is announced to be larger is not handed on:
// reading it fails as reading too much of another does, and BodyError tells that
// error apart. RefuseLarge answers it where the route has its place for that.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > MaxBody {
			if r.Header.Get("Expect") == "" { // who waits for leave to send gets the answer first
				_, _ = io.CopyN(io.Discard, r.Body, drained)
			}
			w.Header().Set("Connection", "close")
			r.Body = largeBody{}
		} else {
			r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
		}
		next.ServeHTTP(w, r)
	})
}

// RefuseLarge refuses a request whose body is announced to be too large, whether
// the route would read it or not.
func RefuseLarge(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, large := r.Body.(largeBody); large {
			Fail(w, r, answer.PayloadTooLarge())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// largeBody stands for a body that is larger than MaxBody.
type largeBody struct{}

func (largeBody) Read([]byte) (int, error) { return 0, &http.MaxBytesError{Limit: MaxBody} }
func (largeBody) Close() error             { return nil }

// BodyError says what an error from reading the body means.
func BodyError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return answer.PayloadTooLarge()
	}
	return errs.New(errs.Invalid, answer.CodeOAuthRequest, "The request body could not be read.").WithCause(err)
}

// deadline bounds the time in which the route's handler must answer.
func deadline(d time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), d)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// platform refuses everything while the developer platform is switched off.
func platform(on bool, next http.Handler) http.Handler {
	if on {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Fail(w, r, errs.New(errs.NotFound, answer.CodePlatformDisabled, "The developer platform is switched off."))
	})
}

// WellFormedQuery refuses a query that cannot be read. What it can read and no
// route knows is ignored.
func WellFormedQuery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := url.QueryUnescape(r.URL.RawQuery); err != nil {
			Fail(w, r, errs.New(errs.Invalid, answer.CodeInvalid, "The query is not well-formed."))
			return
		}
		next.ServeHTTP(w, r)
	})
}
