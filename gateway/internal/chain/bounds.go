package chain

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

// MaxBody is the default size limit of a request body, in bytes (behaviour: errors#codes-of-every-endpoint).
const MaxBody = 1 << 20

// maxDrained is the maximum number of bytes of a rejected body that are read and discarded. If they were
// not read, a client that first writes the whole body would see a connection reset instead of the 413.
const maxDrained = 32 << 20

// limitBody limits the size of the body and charges its bytes to Memory. It never writes a response, because
// the size is checked late (behaviour: errors#order-of-checks). If the body or its Content-Length is too large,
// reading the body fails with http.MaxBytesError.
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

// Within returns the request's body with a limit lower than the listener's. If Content-Length is above most,
// reading the body fails with http.MaxBytesError.
func Within(w http.ResponseWriter, r *http.Request, most int64) io.ReadCloser {
	if r.ContentLength <= most {
		return http.MaxBytesReader(w, r.Body, most)
	}
	if held, ok := r.Body.(*heldBody); ok { // discarded bytes are not charged to Memory
		drain(w, r, held.ReadCloser)
	}
	return largeBody{}
}

// Discard reads and discards the body of a request whose response does not depend on it. It does not charge the
// body to Memory.
func Discard(w http.ResponseWriter, r *http.Request) {
	if held, ok := r.Body.(*heldBody); ok {
		drain(w, r, held.ReadCloser)
		return
	}
	drain(w, r, r.Body)
}

func drain(w http.ResponseWriter, r *http.Request, body io.Reader) {
	if r.Header.Get("Expect") == "" { // a client that sent Expect: 100-continue has not sent the body yet
		_, _ = io.CopyN(io.Discard, body, maxDrained)
	}
	w.Header().Set("Connection", "close")
}

// RefuseLarge responds with 413 if Content-Length is above the limit, even if the route does not read the body.
func RefuseLarge(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, large := r.Body.(largeBody); large {
			Fail(w, r, answer.PayloadTooLarge())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// largeBody replaces a body whose Content-Length is above the limit.
type largeBody struct{}

func (largeBody) Read([]byte) (int, error) { return 0, &http.MaxBytesError{Limit: MaxBody} }
func (largeBody) Close() error             { return nil }

func deadline(d time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), d)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// platform responds with 404 while the developer platform is off (behaviour: errors#platform-off).
func platform(on bool, next http.Handler) http.Handler {
	if on {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Fail(w, r, errs.New(errs.NotFound, answer.CodePlatformDisabled, "The developer platform is switched off."))
	})
}

// WellFormedQuery rejects a query that cannot be decoded. It ignores unknown parameters
// (behaviour: requests#query-parameters).
func WellFormedQuery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := url.QueryUnescape(r.URL.RawQuery); err != nil {
			Fail(w, r, errs.New(errs.Invalid, answer.CodeInvalid, "The query is not well-formed."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

var turnedAway = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_http_turned_away_total",
	Help: "Requests rejected because too many were in progress or they held too much memory.",
}, []string{"listener"})

// inFlight limits the concurrent requests of a listener. It rejects further requests immediately, because a
// queue would use memory for clients that give up before they are served.
type inFlight struct {
	listener string
	slots    chan struct{}
}

func newInFlight(listener string, most int) inFlight {
	turnedAway.WithLabelValues(listener) // creates the series at 0
	return inFlight{listener: listener, slots: make(chan struct{}, most)}
}

func (f inFlight) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case f.slots <- struct{}{}:
			defer func() { <-f.slots }()
			next.ServeHTTP(w, r)
		default:
			turnedAway.WithLabelValues(f.listener).Inc()
			Fail(w, r, errs.New(errs.Unavailable, answer.CodeUnavailable, "Too many requests are under way."))
		}
	})
}
