package chain

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

var turnedAway = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_http_turned_away_total",
	Help: "Requests rejected because too many were in progress or they held too much memory.",
}, []string{"listener"})

// inFlight limits the concurrent requests of a listener. It rejects the others at once:
// a queue would use memory for clients that give up before they are served.
type inFlight struct {
	door  string
	slots chan struct{}
}

func newInFlight(door string, most int) inFlight {
	turnedAway.WithLabelValues(door) // creates the series at 0
	return inFlight{door: door, slots: make(chan struct{}, most)}
}

func (f inFlight) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case f.slots <- struct{}{}:
			defer func() { <-f.slots }()
			next.ServeHTTP(w, r)
		default:
			turnedAway.WithLabelValues(f.door).Inc()
			Fail(w, r, errs.New(errs.Unavailable, answer.CodeUnavailable, "Too many requests are under way."))
		}
	})
}
