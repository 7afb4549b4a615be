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
	Help: "Requests refused because too many were under way, or they held too much memory.",
}, []string{"listener"})

// inFlight bounds how many requests of a door run at a time. It refuses the others
// at once. A queue would hold memory for clients that give up before their turn
// comes.
type inFlight struct {
	door  string
	slots chan struct{}
}

func newInFlight(door string, most int) inFlight {
	turnedAway.WithLabelValues(door) // there before the first
	return inFlight{door: door, slots: make(chan struct{}, most)}
}

// around returns next with this bound.
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
