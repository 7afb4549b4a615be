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

// Server counts the calls that the process serves, and Client those that it makes. Calls refused by a
// circuit breaker are not made.
var (
	Server = newSide("server", "served")
	Client = newSide("client", "made")
)

// Side counts the calls on one side.
type Side struct {
	started, handled *prometheus.CounterVec
	took             *prometheus.HistogramVec
	// methods maps full method names to *method.
	methods sync.Map
}

// buckets are in seconds. Reads take a few milliseconds. No call may take longer than a revocation
// that waits for Redis.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15}

func newSide(side, done string) *Side {
	labels := []string{"grpc_type", "grpc_service", "grpc_method"}
	return &Side{
		started: promauto.NewCounterVec(prometheus.CounterOpts{
			Name: "grpc_" + side + "_started_total", Help: "Calls " + done + ", by method.",
		}, labels),
		handled: promauto.NewCounterVec(prometheus.CounterOpts{
			Name: "grpc_" + side + "_handled_total", Help: "Calls " + done + " that have ended, by method and code.",
		}, append(labels[:len(labels):len(labels)], "grpc_code")),
		took: promauto.NewHistogramVec(prometheus.HistogramOpts{
			Name: "grpc_" + side + "_handling_seconds", Help: "Time that calls " + done + " took, by method, whatever their code.",
			Buckets: buckets,
		}, labels),
	}
}

// Kind is the kind of a method, as in the label grpc_type.
type Kind string

// KindOf returns the kind of a method that streams to the server, to the client, to both or to neither.
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

// usual are the codes that calls between services end with. Their counters exist from the start; those
// of other codes are created when needed.
var usual = []codes.Code{
	codes.OK, codes.Canceled, codes.InvalidArgument, codes.DeadlineExceeded, codes.NotFound, codes.AlreadyExists, codes.PermissionDenied,
	codes.ResourceExhausted, codes.FailedPrecondition, codes.Internal, codes.Unavailable, codes.Unauthenticated,
}

type method struct {
	side    *Side
	labels  []string
	started prometheus.Counter
	took    prometheus.Observer
	// handled contains the counters of the usual codes, and nil for others.
	handled [codes.Unauthenticated + 1]prometheus.Counter
}

// Expect creates the counters of a method before its first call. Otherwise a rate would miss the first
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
