package revocation

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Values of the result label.
const (
	// resultDeleted means that Redis has deleted the records, on all relevant replicas.
	resultDeleted = "deleted"
	// resultExpired means that the caller waited until all records had expired.
	resultExpired = "expired"
	// resultGivenUp means that the caller was canceled. The job continues.
	resultGivenUp = "given_up"
)

var published = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name: "vitae_revocation_duration_seconds",
	Help: "Time from the commit of a revocation until its call returns, by result: Redis deleted the records (deleted), all records expired (expired), or the caller was canceled (given_up).",
	// A deletion takes milliseconds; waiting until the records have expired takes 12.5 seconds.
	Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 15},
}, []string{"result"})

var observed = func() map[string]prometheus.Observer {
	all := map[string]prometheus.Observer{}
	for _, result := range []string{resultDeleted, resultExpired, resultGivenUp} {
		all[result] = published.WithLabelValues(result) // exports all series from the start
	}
	return all
}()

func observe(result string, since time.Time) { observed[result].Observe(time.Since(since).Seconds()) }
