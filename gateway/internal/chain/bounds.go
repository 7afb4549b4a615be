package chain

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

// MaxBody is the largest request body in bytes, unless a door says otherwise
// (behaviour: errors#codes-of-every-endpoint).
const MaxBody = 1 << 20

// maxDrained is how much of a refused body is read and dropped, in bytes. A client
// that writes the whole body before it reads would otherwise see a reset connection
// instead of the 413.
const maxDrained = 32 << 20

// limitBody bounds the body, and charges the request for a large one (Memory). If Content-Length is
// above the limit, the handler receives a body that fails when it is read, with the same error as a
// body that turns out to be too large; ReadJSON and readers of forms recognize both by
// http.MaxBytesError. RefuseLarge answers the 413 in its place in the order of checks
// (behaviour: errors#order-of-checks).
func limitBody(most int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > most {
			drain(w, r, r.Body)
			r.Body = largeBody{}
		} else {
			r.Body = &heldBody{ReadCloser: http.MaxBytesReader(w, r.Body, most), exchange: ExchangeOf(r.Context())}
		}
		next.ServeHTTP(w, r)
	})
}

// Within returns the body of a request bounded to most bytes, for a route that takes less than its door.
// If Content-Length is above that, the body fails when it is read, as that of limitBody does.
func Within(w http.ResponseWriter, r *http.Request, most int64) io.ReadCloser {
	if r.ContentLength <= most {
		return http.MaxBytesReader(w, r.Body, most)
	}
	if held, ok := r.Body.(*heldBody); ok { // what is dropped takes no memory
		drain(w, r, held.ReadCloser)
	}
	return largeBody{}
}

// drain reads and drops a body that is refused.
func drain(w http.ResponseWriter, r *http.Request, body io.Reader) {
	if r.Header.Get("Expect") == "" { // a client that expects 100 gets the answer before it sends
		_, _ = io.CopyN(io.Discard, body, maxDrained)
	}
	w.Header().Set("Connection", "close")
}

// RefuseLarge refuses a request whose Content-Length is above the limit, even if the
// route does not read the body.
func RefuseLarge(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, large := r.Body.(largeBody); large {
			Fail(w, r, answer.PayloadTooLarge())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// largeBody replaces a body that is larger than MaxBody.
type largeBody struct{}

func (largeBody) Read([]byte) (int, error) { return 0, &http.MaxBytesError{Limit: MaxBody} }
func (largeBody) Close() error             { return nil }

// deadline bounds the time that the handler of the route has.
func deadline(d time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), d)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// platform refuses every request while the developer platform is off
// (behaviour: errors#platform-off).
func platform(on bool, next http.Handler) http.Handler {
	if on {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Fail(w, r, errs.New(errs.NotFound, answer.CodePlatformDisabled, "The developer platform is switched off."))
	})
}

// WellFormedQuery refuses a query that cannot be parsed. Parameters that the route
// does not know are ignored (behaviour: requests#query-parameters).
func WellFormedQuery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := url.QueryUnescape(r.URL.RawQuery); err != nil {
			Fail(w, r, errs.New(errs.Invalid, answer.CodeInvalid, "The query is not well-formed."))
			return
		}
		next.ServeHTTP(w, r)
	})
}
