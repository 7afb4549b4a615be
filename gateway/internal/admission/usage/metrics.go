package usage

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	recorded = promauto.NewCounter(prometheus.CounterOpts{
		Name: "vitae_usage_requests_total",
		Help: "Requests of known accounts, which are reported to auth.",
	})
	dropped = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_usage_dropped_total",
		Help: "Requests missing from the request log (entry) or the usage (count), because auth was down for too long or refused them.",
	}, []string{"what"})
	batches = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_usage_batches_total",
		Help: "Batches of usage sent to auth, by whether auth accepted them.",
	}, []string{"result"})
	sent = promauto.NewHistogram(prometheus.HistogramOpts{
		Name:    "vitae_usage_send_duration_seconds",
		Help:    "Duration of calls to auth with a batch of usage.",
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 3},
	})
	waiting = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "vitae_usage_waiting",
		Help: "Entries of the request log (entry) and rows of the usage (count) that wait for auth, measured once a second.",
	}, []string{"what"})
	room = promauto.NewGauge(prometheus.GaugeOpts{
		Name: "vitae_usage_waiting_max",
		Help: "Maximum number of waiting entries of the request log; further ones are dropped (VITAE_USAGE_BUFFER).",
	})
	waitingEntries, waitingCounts = waiting.WithLabelValues("entry"), waiting.WithLabelValues("count")
	droppedEntries, droppedCounts = dropped.WithLabelValues("entry"), dropped.WithLabelValues("count")
	taken, failed                 = batches.WithLabelValues("taken"), batches.WithLabelValues("failed")
)
