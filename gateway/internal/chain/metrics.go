package chain

import (
	"context"
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
		Help:    "Time from a request's header to the end of its response, by route template and status class (2xx, 4xx, …).",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20},
	}, []string{"listener", "route", "method", "class"})
)

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete, http.MethodOptions}

// answered lists the statuses whose counters exist for every route from the start. If a counter first appeared
// with a failure, its rate would miss that failure. Other statuses get a counter when they occur.
var answered = []int{
	http.StatusOK, http.StatusCreated, http.StatusFound, http.StatusSeeOther, http.StatusNotModified,
	http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge,
	http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusTooManyRequests,
	statusClientLeft, http.StatusInternalServerError, http.StatusServiceUnavailable,
}

// statusClientLeft replaces a 5xx in metrics if the client closed the connection, which cancels the calls to
// the services. nginx uses the same number.
const statusClientLeft = 499

// counted returns the status to use in metrics. net/http cancels ctx, the request's context, when the
// client disconnects, and such requests must not count against the error budget.
func counted(ctx context.Context, status int) int {
	if status >= http.StatusInternalServerError && ctx.Err() != nil {
		return statusClientLeft
	}
	return status
}

// Served is a method and route template of a listener.
type Served struct{ Method, Route string }

// meter counts the requests of a listener. The counters of known routes are created once, so counting a request
// takes only a map lookup and two additions.
type meter struct {
	listener string
	routes   map[Served]*routeMeter
}

// routeMeter holds the counters of one route in the order of answered, and its histograms by the first digit of
// the status. Nil histograms are created on first use.
type routeMeter struct {
	counters []prometheus.Counter
	took     [6]prometheus.Observer
}

func newMeter(listener string, served []Served) meter {
	m := meter{listener: listener, routes: map[Served]*routeMeter{}}
	for _, s := range served {
		one := &routeMeter{}
		for _, status := range answered {
			one.counters = append(one.counters, requests.WithLabelValues(listener, s.Route, s.Method, strconv.Itoa(status)))
		}
		// Only successes have a histogram from the start, because each histogram consists of seventeen series.
		one.took[2] = durations.WithLabelValues(listener, s.Route, s.Method, classes[2])
		m.routes[s] = one
	}
	return m
}

var classes = [6]string{"", "1xx", "2xx", "3xx", "4xx", "5xx"}

func (m meter) count(route, method string, status int, took time.Duration) {
	one, class := m.routes[Served{method, route}], min(status/100, len(classes)-1)
	at := slices.Index(answered, status)
	if one == nil || at < 0 {
		requests.WithLabelValues(m.listener, route, knownMethod(method), strconv.Itoa(status)).Inc()
	} else {
		one.counters[at].Inc()
	}
	if one == nil || one.took[class] == nil {
		durations.WithLabelValues(m.listener, route, knownMethod(method), classes[class]).Observe(took.Seconds())
		return
	}
	one.took[class].Observe(took.Seconds())
}

// knownMethod replaces unknown methods in labels, traces and logs. If a Content-Length is too small, the
// remaining body is parsed as the next request, so the word in the method's position may be a secret.
func knownMethod(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "_OTHER" // the value that OpenTelemetry defines for unknown methods
}
