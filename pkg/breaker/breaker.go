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
		Help: "1 while this process does not call a service because it does not answer.",
	}, []string{"service"})
	opened = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_grpc_breaker_opened_total",
		Help: "Times that this process stopped calling a service that did not answer.",
	}, []string{"service"})
)

const (
	// The breaker opens after openAfter consecutive failures over at least answerless, so that
	// a burst during a restart does not open it.
	openAfter  = 10
	answerless = time.Second
	// forgotten is the time after which a failure no longer counts. Failures of a rarely called
	// service that are far apart are no outage.
	forgotten = time.Minute
	// fair is the shortest timeout after which a deadline indicates a problem of the service.
	fair = 250 * time.Millisecond
	// probeEvery is the interval at which an open breaker allows a call.
	probeEvery = time.Second
)

// Breaker protects calls to one service.
type Breaker struct {
	service string
	clock   clock.Clock
	log     *slog.Logger

	mu       sync.Mutex
	silent   int       // consecutive calls without an answer
	since    time.Time // end of the first of them
	last     time.Time // end of the last of them
	open     bool
	nextTry  time.Time // when an open breaker allows a call
	openedAt time.Time
}

// New returns the breaker for a service. It logs when it opens and closes.
func New(service string, log *slog.Logger) *Breaker {
	return newBreaker(service, clock.System{}, log)
}

func newBreaker(service string, c clock.Clock, log *slog.Logger) *Breaker {
	openNow.WithLabelValues(service).Set(0)
	opened.WithLabelValues(service)
	return &Breaker{service: service, clock: c, log: log}
}

// Allow reports whether to make a call. An open breaker allows one call a second, and returns
// SERVICE_UNAVAILABLE with the time to wait for the others.
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

// Done records the error of a call and the timeout that it had.
func (b *Breaker) Done(ctx context.Context, had time.Duration, err error) {
	switch heard(had, err) {
	case answered:
		b.closes(ctx)
	case silence:
		b.missed(ctx, err)
	case unknown:
	}
}

type outcome int

const (
	answered outcome = iota
	silence
	// unknown is a call that indicates nothing: cancelled, or with a very short timeout.
	unknown
)

// heard determines whether the service has answered a call.
func heard(had time.Duration, err error) outcome {
	if err == nil {
		return answered
	}
	s, ok := status.FromError(err)
	if !ok {
		return unknown // not sent
	}
	switch s.Code() {
	case codes.Canceled:
		return unknown
	case codes.DeadlineExceeded:
		if had < fair {
			return unknown
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
	if now.Sub(b.last) > forgotten {
		b.silent = 0
	}
	if b.silent++; b.silent == 1 {
		b.since = now
	}
	b.last = now
	if b.open || b.silent < openAfter || now.Sub(b.since) < answerless {
		return
	}
	b.open, b.openedAt, b.nextTry = true, now, now.Add(probeEvery)
	openNow.WithLabelValues(b.service).Set(1)
	opened.WithLabelValues(b.service).Inc()
	b.log.WarnContext(ctx, "the service does not answer; calls fail immediately until one succeeds", "service", b.service, "error", err)
}
