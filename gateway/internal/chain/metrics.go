package chain

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	requests = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_http_requests_total",
		Help: "Requests answered, by route template and status.",
	}, []string{"listener", "route", "method", "status"})
	durations = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "vitae_http_request_duration_seconds",
		Help:    "Time from a request's header to the end of its answer.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20},
	}, []string{"listener", "route"})
)

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete, http.MethodOptions}

func count(listener, route, method string, status int, took time.Duration) {
	requests.WithLabelValues(listener, route, knownMethod(method), strconv.Itoa(status)).Inc()
	durations.WithLabelValues(listener, route).Observe(took.Seconds())
}

// knownMethod is the method as labels, traces and logs may hold it: a client can send any
// word. When the length of its body is too small, the rest of the body is read as the next
// request, and what stands there as a method may be a secret.
func knownMethod(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "_OTHER" // the value that OpenTelemetry defines for other methods
}
