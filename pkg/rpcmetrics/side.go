package rpcmetrics

import (
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Server holds the metrics of the calls that the process serves, and Client the metrics of the calls
// that it makes. Calls rejected by a circuit breaker are not counted.
var (
	Server = newSide("server", "served")
	Client = newSide("client", "made")
)

// Side holds the call metrics of the server side or the client side of a process.
type Side struct {
	started, handled *prometheus.CounterVec
	took             *prometheus.HistogramVec
	// methods maps full method names to *method.
	methods sync.Map
}

// buckets are the histogram buckets, in seconds. Reads take a few milliseconds. The longest call
// allowed is a revocation that waits for Redis.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15}

func newSide(side, done string) *Side {
	labels := []string{"grpc_type", "grpc_service", "grpc_method"}
	return &Side{
		started: promauto.NewCounterVec(prometheus.CounterOpts{
			Name: "grpc_" + side + "_started_total", Help: "Number of calls " + done + ", by method.",
		}, labels),
		handled: promauto.NewCounterVec(prometheus.CounterOpts{
			Name: "grpc_" + side + "_handled_total", Help: "Number of calls " + done + " that have ended, by method and code.",
		}, append(labels[:len(labels):len(labels)], "grpc_code")),
		took: promauto.NewHistogramVec(prometheus.HistogramOpts{
			Name: "grpc_" + side + "_handling_seconds", Help: "Duration of calls " + done + ", by method, regardless of their code.",
			Buckets: buckets,
		}, labels),
	}
}

// Kind is the kind of a method, as used in the label grpc_type.
type Kind string

// KindOf returns the kind of a method that streams to the server, to the client, to both, or to
// neither.
func KindOf(toServer, toClient bool) Kind {
	switch {
	case toServer && toClient:
		return "bidi_stream"
	case toServer:
		return "client_stream"
	case toClient:
		return "server_stream"
	}
	return unary
}

const unary Kind = "unary"

// usual lists the codes that calls between services commonly return. Their counters exist from the
// start; counters for other codes are created when needed.
var usual = []codes.Code{
	codes.OK, codes.Canceled, codes.InvalidArgument, codes.DeadlineExceeded, codes.NotFound, codes.AlreadyExists, codes.PermissionDenied,
	codes.ResourceExhausted, codes.FailedPrecondition, codes.Internal, codes.Unavailable, codes.Unauthenticated,
}

type method struct {
	side    *Side
	labels  []string
	started prometheus.Counter
	took    prometheus.Observer
	// handled holds the counters for the usual codes, and nil for other codes.
	handled [codes.Unauthenticated + 1]prometheus.Counter
}

// Expect creates the counters of a method before its first call. Otherwise, a rate would miss the first
// failure.
func (s *Side) Expect(fullMethod string, kind Kind) { s.method(fullMethod, kind) }

func (s *Side) method(full string, kind Kind) *method {
	if m, ok := s.methods.Load(full); ok {
		return m.(*method)
	}
	service, name, _ := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	labels := []string{string(kind), service, name}
	made := &method{side: s, labels: labels, started: s.started.WithLabelValues(labels...), took: s.took.WithLabelValues(labels...)}
	for _, code := range usual {
		made.handled[code] = made.counter(code)
	}
	m, _ := s.methods.LoadOrStore(full, made)
	return m.(*method)
}

func (m *method) counter(code codes.Code) prometheus.Counter {
	return m.side.handled.WithLabelValues(m.labels[0], m.labels[1], m.labels[2], code.String())
}

func (m *method) start() time.Time {
	m.started.Inc()
	return time.Now()
}

func (m *method) end(start time.Time, err error) {
	m.took.Observe(time.Since(start).Seconds())
	code := status.Code(err)
	if int(code) < len(m.handled) && m.handled[code] != nil {
		m.handled[code].Inc()
		return
	}
	m.counter(code).Inc()
}
