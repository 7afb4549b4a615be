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
		Help:    "Time from a request's header to the end of its answer, by route template and class of the status (2xx, 4xx, …).",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20},
	}, []string{"listener", "route", "method", "class"})
)

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete, http.MethodOptions}

// answered are the statuses that the gateway answers with. Their counters are there for
// every route before its first request, or a rate would miss the first failure. Any other
// status gets one when it occurs.
var answered = []int{
	http.StatusOK, http.StatusCreated, http.StatusFound, http.StatusSeeOther, http.StatusNotModified,
	http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge,
	http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusTooManyRequests,
	statusClientLeft, http.StatusInternalServerError, http.StatusServiceUnavailable,
}

// statusClientLeft is what metrics have for a failure that nobody has read, as nginx calls
// it: the client had closed the connection, so the calls to the parts were given up.
const statusClientLeft = 499

// counted is the status of an answer as metrics have it. ctx is the request's: net/http
// ends it when the client leaves. Otherwise clients who leave would spend of the budget for
// our errors.
func counted(ctx context.Context, status int) int {
	if status >= http.StatusInternalServerError && ctx.Err() != nil {
		return statusClientLeft
	}
	return status
}

// Served is a method and route template that a door serves.
type Served struct{ Method, Route string }

// meter counts the requests of a door. What counts a route that is served is made once, so
// that a request costs a look-up and two additions.
type meter struct {
	door   string
	routes map[Served]*routeMeter
}

// routeMeter has the counters of one route, in the order of answered, and the times of its
// classes, by the first digit of the status. Where nil, nothing was made beforehand.
type routeMeter struct {
	counters []prometheus.Counter
	took     [6]prometheus.Observer
}

func newMeter(door string, served []Served) meter {
	m := meter{door: door, routes: map[Served]*routeMeter{}}
	for _, s := range served {
		one := &routeMeter{}
		for _, status := range answered {
			one.counters = append(one.counters, requests.WithLabelValues(door, s.Route, s.Method, strconv.Itoa(status)))
		}
		// Of a failure one wants to know how often it occurs from the start on, of its time
		// only when there is one: a histogram is seventeen series.
		one.took[2] = durations.WithLabelValues(door, s.Route, s.Method, classes[2])
		m.routes[s] = one
	}
	return m
}

var classes = [6]string{"", "1xx", "2xx", "3xx", "4xx", "5xx"}

func (m meter) count(route, method string, status int, took time.Duration) {
	one, class := m.routes[Served{method, route}], min(status/100, len(classes)-1)
	at := slices.Index(answered, status)
	if one == nil || at < 0 {
		requests.WithLabelValues(m.door, route, knownMethod(method), strconv.Itoa(status)).Inc()
	} else {
		one.counters[at].Inc()
	}
	if one == nil || one.took[class] == nil {
		durations.WithLabelValues(m.door, route, knownMethod(method), classes[class]).Observe(took.Seconds())
		return
	}
	one.took[class].Observe(took.Seconds())
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
