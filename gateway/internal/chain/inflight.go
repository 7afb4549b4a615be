package chain

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/errs"

	"vitae.internal/gateway/internal/answer"
)

var turnedAway = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_http_turned_away_total",
	Help: "Requests refused because too many were under way.",
}, []string{"listener"})

// InFlight lets a number of requests run at a time, of all handlers together. More
// are not kept waiting: a queue would hold memory for clients that have given up
// long before their turn.
type InFlight struct {
	listener string
	slots    chan struct{}
}

// NewInFlight makes the bound of a listener.
func NewInFlight(listener string, most int) InFlight {
	return InFlight{listener: listener, slots: make(chan struct{}, most)}
}

func (o Outer) bounded(next http.Handler) http.Handler {
	if o.MaxInFlight <= 0 {
		return next
	}
	return NewInFlight(o.Listener, o.MaxInFlight).Bound(next)
}

// Bound puts the bound before next.
func (f InFlight) Bound(next http.Handler) http.Handler {
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
