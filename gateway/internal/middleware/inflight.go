package middleware

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/errs"

	"vitae.internal/gateway/internal/rest"
)

var turnedAway = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_http_turned_away_total",
	Help: "Requests refused because too many were under way.",
}, []string{"listener"})

// bounded lets Outer.MaxInFlight requests run at a time. More are not kept waiting:
// a queue would hold memory for clients that have given up long before their turn.
func (o Outer) bounded(next http.Handler) http.Handler {
	if o.MaxInFlight <= 0 {
		return next
	}
	slots := make(chan struct{}, o.MaxInFlight)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			next.ServeHTTP(w, r)
		default:
			turnedAway.WithLabelValues(o.Listener).Inc()
			Fail(w, r, errs.New(errs.Unavailable, rest.CodeUnavailable, "Too many requests are under way."))
		}
	})
}
