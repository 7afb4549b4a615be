package usage

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	recorded = promauto.NewCounter(prometheus.CounterOpts{
		Name: "vitae_usage_requests_total",
		Help: "Requests of known accounts, to be reported to auth.",
	})
	dropped = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_usage_dropped_total",
		Help: "Requests missing from the request log (entry) or from the usage (count), because auth took nothing for too long or refused them.",
	}, []string{"what"})
	batches = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_usage_batches_total",
		Help: "Batches of usage sent to auth, by whether auth took them.",
	}, []string{"result"})
	droppedEntries, droppedCounts = dropped.WithLabelValues("entry"), dropped.WithLabelValues("count")
	taken, failed                 = batches.WithLabelValues("taken"), batches.WithLabelValues("failed")
)
