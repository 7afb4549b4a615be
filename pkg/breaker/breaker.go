package breaker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
)

var (
	openNow = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "vitae_grpc_breaker_open",
		Help: "1 while calls to a service fail immediately because it does not respond, else 0.",
	}, []string{"service"})
	opened = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_grpc_breaker_opened_total",
		Help: "Number of times that the breaker opened because a service did not respond.",
	}, []string{"service"})
)

const (
	// The breaker opens after openAfter consecutive failures over at least minOutage, so that a
	// burst of failures during a restart does not open it.
	openAfter = 10
	minOutage = time.Second
	// failureTTL is the time after which a failure no longer counts. Occasional failures of a
	// rarely called service are not an outage.
	failureTTL = time.Minute
	// minTimeout is the shortest timeout of a call whose expiry counts as a failure of the service.
	minTimeout = 250 * time.Millisecond
	// probeEvery is the interval at which an open breaker allows a call.
	probeEvery = time.Second
)

// Breaker protects calls to one service.
type Breaker struct {
	service string
	clock   clock.Clock
	log     *slog.Logger

	mu       sync.Mutex
	silent   int       // number of consecutive calls without a response
	since    time.Time // end of the first of these calls
	last     time.Time // end of the last of these calls
	open     bool
	nextTry  time.Time // time at which an open breaker allows the next call
	openedAt time.Time
}

// New returns a breaker for a service. It logs when it opens and closes.
func New(service string, log *slog.Logger) *Breaker {
	return newBreaker(service, clock.System{}, log)
}

func newBreaker(service string, c clock.Clock, log *slog.Logger) *Breaker {
	openNow.WithLabelValues(service).Set(0)
	opened.WithLabelValues(service)
	return &Breaker{service: service, clock: c, log: log}
}

// Allow returns nil if the call may be made. An open breaker allows one call per second; for other
// calls, Allow returns SERVICE_UNAVAILABLE with the time to wait.
func (b *Breaker) Allow() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.open {
		return nil
	}
	now := b.clock.Now()
	if wait := b.nextTry.Sub(now); wait > 0 {
		return errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.").WithRetryAfter(wait)
	}
	b.nextTry = now.Add(probeEvery)
	return nil
}

// Done reports the error of a call, and the timeout with which the call was made.
func (b *Breaker) Done(ctx context.Context, had time.Duration, err error) {
	switch heard(had, err) {
	case answered:
		b.closes(ctx)
	case silence:
		b.missed(ctx, err)
	case inconclusive:
	}
}

type outcome int

const (
	answered outcome = iota
	silence
	// inconclusive is the outcome of a call that says nothing about the service: it was canceled,
	// or had a very short timeout.
	inconclusive
)

// heard determines from the error whether the service responded to a call.
func heard(had time.Duration, err error) outcome {
	if err == nil {
		return answered
	}
	s, ok := status.FromError(err)
	if !ok {
		return inconclusive // the call was not sent
	}
	switch s.Code() {
	case codes.Canceled:
		return inconclusive
	case codes.DeadlineExceeded:
		if had < minTimeout {
			return inconclusive
		}
		return silence
	case codes.Unavailable:
		if len(s.Details()) > 0 {
			return answered
		}
		return silence
	default:
		return answered
	}
}

func (b *Breaker) closes(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.silent = 0
	if !b.open {
		return
	}
	b.open = false
	openNow.WithLabelValues(b.service).Set(0)
	b.log.InfoContext(ctx, "the service answers again", "service", b.service, "after_s", b.clock.Now().Sub(b.openedAt).Seconds())
}

func (b *Breaker) missed(ctx context.Context, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.clock.Now()
	if now.Sub(b.last) > failureTTL {
		b.silent = 0
	}
	if b.silent++; b.silent == 1 {
		b.since = now
	}
	b.last = now
	if b.open || b.silent < openAfter || now.Sub(b.since) < minOutage {
		return
	}
	b.open, b.openedAt, b.nextTry = true, now, now.Add(probeEvery)
	openNow.WithLabelValues(b.service).Set(1)
	opened.WithLabelValues(b.service).Inc()
	b.log.WarnContext(ctx, "the service does not answer; calls fail immediately until one succeeds", "service", b.service, "error", err)
}
