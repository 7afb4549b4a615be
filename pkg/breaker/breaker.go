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
		Help: "1 while this process does not call a part, because it has not answered.",
	}, []string{"service"})
	opened = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_grpc_breaker_opened_total",
		Help: "Times that this process stopped calling a part that did not answer.",
	}, []string{"service"})
)

const (
	// The breaker opens after openAfter failures in a row that span at least answerless,
	// so a burst at a restart does not open it.
	openAfter  = 10
	answerless = time.Second
	// forgotten is how long after a failure the next one begins a new row. Failures far
	// apart, at a part that is hardly called, are no outage.
	forgotten = time.Minute
	// fair is the least time that a call must have had for its deadline to say
	// anything of the part.
	fair = 250 * time.Millisecond
	// probeEvery is how long an open breaker refuses before it lets one call find out.
	probeEvery = time.Second
)

// Breaker stands before one part.
type Breaker struct {
	service string
	clock   clock.Clock
	log     *slog.Logger

	mu       sync.Mutex
	silent   int       // calls in a row without an answer
	since    time.Time // when the first of them ended
	last     time.Time // when the last of them ended
	open     bool
	nextTry  time.Time // of an open breaker
	openedAt time.Time
}

// New makes the breaker of the part named service. log takes one line when the breaker
// opens and one when it closes.
func New(service string, log *slog.Logger) *Breaker {
	return newBreaker(service, clock.System{}, log)
}

func newBreaker(service string, c clock.Clock, log *slog.Logger) *Breaker {
	openNow.WithLabelValues(service).Set(0)
	opened.WithLabelValues(service)
	return &Breaker{service: service, clock: c, log: log}
}

// Allow says whether to call. An open breaker lets one call through in each second;
// the others get SERVICE_UNAVAILABLE, with the time to wait.
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

// Done takes the result of a call, as gRPC gives it, and the time that the call had.
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
	// unknown is a call that its caller gave up, or gave no time: it says nothing of
	// the part.
	unknown
)

// heard says whether a part has answered a call.
func heard(had time.Duration, err error) outcome {
	if err == nil {
		return answered
	}
	s, ok := status.FromError(err)
	if !ok {
		return unknown // it was never sent
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
	b.log.InfoContext(ctx, "the part answers again", "service", b.service, "after_s", b.clock.Now().Sub(b.openedAt).Seconds())
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
	b.log.WarnContext(ctx, "the part does not answer: calls to it fail at once until one gets through", "service", b.service, "error", err)
}
