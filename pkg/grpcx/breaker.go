package grpcx

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
	breakerOpen = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "vitae_grpc_breaker_open",
		Help: "1 while this process does not call a part, because it has not answered.",
	}, []string{"service"})
	breakerOpened = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_grpc_breaker_opened_total",
		Help: "Times that this process stopped calling a part that did not answer.",
	}, []string{"service"})
)

const (
	// openAfter is how many calls in a row must go without an answer, with no answer
	// between, and answerless how long there must have been none. Both: a crowd whose
	// calls fail together in one moment, as at a restart, is not yet an outage.
	openAfter  = 10
	answerless = time.Second
	// fair is the least time that a call must have had for its deadline to say
	// anything of the part.
	fair = 250 * time.Millisecond
	// probeEvery is how long an open breaker refuses before it lets one call find out.
	probeEvery = time.Second
)

// breaker stands before one part. While calls to it end at their deadline, those
// that would follow are refused at once: they would hold their callers, and what
// those hold, for nothing.
//
// Only silence counts. An error that the part's code has made up, one of
// unavailability too, is an answer. A nil breaker lets everything through.
type breaker struct {
	service string
	clock   clock.Clock
	log     *slog.Logger

	mu       sync.Mutex
	silent   int       // calls in a row without an answer
	since    time.Time // when the first of them ended
	open     bool
	nextTry  time.Time // of an open breaker
	openedAt time.Time
}

func newBreaker(service string, c clock.Clock, log *slog.Logger) *breaker {
	breakerOpen.WithLabelValues(service).Set(0)
	return &breaker{service: service, clock: c, log: log}
}

// allow says whether to call. An open breaker lets one call through in each
// probeEvery.
func (b *breaker) allow() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.open {
		return nil
	}
	now := b.clock.Now()
	if wait := b.nextTry.Sub(now); wait > 0 {
		return errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The service cannot answer now.").WithRetryAfter(wait)
	}
	b.nextTry = now.Add(probeEvery)
	return nil
}

// done takes the raw result of a call that had so much time.
func (b *breaker) done(ctx context.Context, had time.Duration, err error) {
	if b == nil {
		return
	}
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

func (b *breaker) closes(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.silent = 0
	if !b.open {
		return
	}
	b.open = false
	breakerOpen.WithLabelValues(b.service).Set(0)
	b.log.InfoContext(ctx, "the part answers again", "service", b.service, "after_s", b.clock.Now().Sub(b.openedAt).Seconds())
}

func (b *breaker) missed(ctx context.Context, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.clock.Now()
	if b.silent++; b.silent == 1 {
		b.since = now
	}
	if b.open || b.silent < openAfter || now.Sub(b.since) < answerless {
		return
	}
	b.open, b.openedAt, b.nextTry = true, now, now.Add(probeEvery)
	breakerOpen.WithLabelValues(b.service).Set(1)
	breakerOpened.WithLabelValues(b.service).Inc()
	b.log.WarnContext(ctx, "the part does not answer: calls to it fail at once until one gets through", "service", b.service, "error", err)
}
