package outage_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vitae.internal/gateway/internal/admission/outage"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
)

var errDown = errors.New("down")

type scene struct {
	*outage.Guard
	now   *clock.Fake
	log   bytes.Buffer
	asked int
}

func newScene() *scene {
	s := &scene{now: clock.NewFake(time.Unix(1_800_000_000, 0))}
	guard, err := outage.New(s.now, slog.New(slog.NewTextHandler(&s.log, nil)))
	if err != nil {
		panic(err) // cannot happen
	}
	s.Guard = guard
	return s
}

func (s *scene) ask(ctx context.Context, err error) bool {
	return s.Ask(ctx, func() error { s.asked++; return err })
}

func (s *scene) reports() int { return strings.Count(s.log.String(), "redis does not answer") }

func TestOneRequestProbesPerInterval(t *testing.T) {
	s := newScene()
	for range 10 {
		if s.ask(t.Context(), errDown) {
			t.Fatal("Ask reported a response from a Redis that is down")
		}
	}
	if s.asked != 1 {
		t.Fatalf("Redis was called %d times right after a failure", s.asked)
	}
	s.now.Advance(time.Second)
	s.Ask(t.Context(), func() error { // during the probe, all other calls work without Redis
		s.asked++
		for range 10 {
			s.ask(t.Context(), nil)
		}
		return nil
	})
	if s.asked != 2 {
		t.Errorf("Redis was called %d times, want one more call after the pause", s.asked)
	}
	if !s.ask(t.Context(), nil) || !s.ask(t.Context(), nil) {
		t.Error("Redis is not called after a success")
	}
}

func TestOutageIsLoggedOnce(t *testing.T) {
	s := newScene()
	for range 100 {
		s.ask(t.Context(), errDown)
		s.now.Advance(time.Second)
	}
	if got := s.reports(); got != 1 {
		t.Errorf("%d reports for one outage\n%s", got, &s.log)
	}
	for range 5 { // a server that fails repeatedly
		s.ask(t.Context(), nil)
		s.now.Advance(time.Second)
		s.ask(t.Context(), errDown)
		s.now.Advance(time.Second)
	}
	if got := s.reports(); got != 1 {
		t.Errorf("%d reports\n%s", got, &s.log)
	}
	s.ask(t.Context(), nil)
	s.now.Advance(time.Hour)
	s.ask(t.Context(), errDown)
	if got := s.reports(); got != 2 || strings.Count(s.log.String(), "answers again") != 1 {
		t.Errorf("%d reports\n%s", got, &s.log)
	}
}

func TestRepeatedOutageIsLogged(t *testing.T) {
	s := newScene()
	s.ask(t.Context(), errDown)
	s.now.Advance(time.Second)
	s.ask(t.Context(), nil)
	for range 100 {
		s.now.Advance(time.Second)
		s.ask(t.Context(), errDown)
	}
	if got := s.reports(); got != 2 {
		t.Errorf("%d reports, the last one says that Redis is available\n%s", got, &s.log)
	}
	s.now.Advance(time.Second)
	s.ask(t.Context(), nil)
	if got := strings.Count(s.log.String(), "answers again"); got != 2 {
		t.Errorf("the end of the outage was logged %d times\n%s", got, &s.log)
	}
}

func TestCanceledRequestIsNotAnOutage(t *testing.T) {
	s := newScene()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.ask(ctx, context.Canceled)
	if !s.ask(t.Context(), nil) || s.reports() != 0 {
		t.Error("Redis is not called because a client has disconnected")
	}
}

// Requests that arrive while Redis hangs share one timeout instead of waiting one after another.
func TestQueuedCallsShareTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene()
		hang := make(chan struct{})
		var asked atomic.Int32
		var wg sync.WaitGroup
		for range 10 * redisx.PoolSize {
			wg.Go(func() {
				s.Ask(t.Context(), func() error {
					asked.Add(1)
					<-hang
					return errDown
				})
			})
		}
		synctest.Wait()
		close(hang)
		wg.Wait()
		if got := asked.Load(); got != redisx.PoolSize || s.reports() != 1 {
			t.Errorf("%d calls to a hanging Redis, %d reports", got, s.reports())
		}
	})
}
