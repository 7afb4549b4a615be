package limits_test

import (
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
)

var hourly = limits.Rate{Count: 100, Per: time.Hour}

// windowScene is a scene with two replicas, and with fake clocks for the replicas and Redis.
type windowScene struct {
	*scene
	now      *clock.Fake
	replicas []*limits.Limiter
}

func newWindows(t *testing.T, cfg redisx.Config, start time.Time) *windowScene {
	t.Helper()
	s := &windowScene{scene: newScene(t, cfg), now: clock.NewFake(start)}
	for range 2 {
		l := s.another(s.now, slog.New(slog.DiscardHandler))
		l.UseClock(fakeTime)
		s.replicas = append(s.replicas, l)
	}
	s.setClock()
	return s
}

func (s *windowScene) setClock() {
	s.Helper()
	if err := s.rdb.Set(s.Context(), "clock", s.now.Now().UnixMicro(), 0).Err(); err != nil {
		s.Fatal(err)
	}
}

// want checks the usage and how long the request must wait.
func (s *windowScene) want(w limits.Window, used int64, wait time.Duration) {
	s.Helper()
	e, refused := errs.As(w.Refusal)
	if w.Charged != used || refused != (wait > 0) || refused && (e.Code != limits.CodeRate || e.Kind != errs.Exhausted || e.RetryAfter != wait) {
		s.Errorf("%d used, refusal %v, want %d and a wait of %v", w.Charged, w.Refusal, used, wait)
	}
}

func TestWindowIsAlignedAndShared(t *testing.T) {
	s := newWindows(t, redisx.Config{URL: testkit.Redis(t)}, time.Date(2026, 3, 1, 10, 59, 0, 0, time.UTC))
	for i := range int64(100) {
		s.want(s.replicas[i%2].Charge(t.Context(), hourly, "a"), i+1, 0)
	}
	for range 3 { // rejected requests are not charged to the next hour
		s.want(s.replicas[0].Charge(t.Context(), hourly, "a"), 100, time.Minute)
	}
	s.want(s.replicas[1].Read(t.Context(), hourly, "a"), 100, 0)
	s.want(s.replicas[1].Charge(t.Context(), hourly, "b"), 1, 0)
	s.now.Advance(time.Minute)
	s.setClock()
	s.want(s.replicas[1].Read(t.Context(), hourly, "a"), 0, 0)
	s.want(s.replicas[1].Charge(t.Context(), hourly, "a"), 1, 0)
	s.want(s.replicas[0].Read(t.Context(), hourly, "a"), 1, 0)
}

func TestLostWindowContinuesFromMemory(t *testing.T) {
	s := newWindows(t, redisx.Config{URL: testkit.PrivateRedis(t).URL()}, time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC))
	for range 7 {
		s.replicas[0].Charge(t.Context(), hourly, "a")
	}
	if err := s.rdb.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	s.setClock()
	s.want(s.replicas[0].Charge(t.Context(), hourly, "a"), 8, 0)
	s.want(s.replicas[1].Read(t.Context(), hourly, "a"), 8, 0)
}

func TestWindowIsLimitedWithoutRedis(t *testing.T) {
	r := testkit.PrivateRedis(t)
	s := newWindows(t, redisx.Config{URL: r.URL()}, time.Date(2026, 3, 1, 10, 30, 0, 0, time.UTC))
	for i := range int64(40) {
		s.want(s.replicas[0].Charge(t.Context(), hourly, "a"), i+1, 0)
	}
	if err := r.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.want(s.replicas[0].Read(t.Context(), hourly, "a"), 40, 0)
	for i := range int64(60) {
		s.want(s.replicas[0].Charge(t.Context(), hourly, "a"), 41+i, 0)
	}
	s.want(s.replicas[0].Charge(t.Context(), hourly, "a"), 100, 30*time.Minute)
	s.want(s.replicas[0].Read(t.Context(), hourly, "a"), 100, 0)
	s.want(s.replicas[1].Charge(t.Context(), hourly, "a"), 1, 0) // this replica has not seen the subject
	s.now.Advance(30 * time.Minute)
	s.want(s.replicas[0].Charge(t.Context(), hourly, "a"), 1, 0)
}

func TestConcurrentRequestsFillWindowExactly(t *testing.T) {
	s := newWindows(t, redisx.Config{URL: testkit.Redis(t)}, time.Date(2026, 3, 1, 10, 30, 0, 0, time.UTC))
	var admitted atomic.Int32
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Go(func() {
			if w := s.replicas[i%2].Charge(t.Context(), hourly, "a"); w.Refusal == nil {
				admitted.Add(1)
			}
		})
	}
	wg.Wait()
	if admitted.Load() != 100 {
		t.Errorf("%d of 100 admitted", admitted.Load())
	}
}

func TestWindowSetsHeaders(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 30, 0, 500_000_000, time.UTC)
	for _, c := range []struct {
		used      int64
		remaining string
	}{{1, "99"}, {100, "0"}, {103, "0"}} {
		h := http.Header{}
		limits.Window{Rate: hourly, Charged: c.used, Now: at.UnixMicro()}.SetHeaders(h)
		reset := strconv.FormatInt(time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC).Unix(), 10)
		for name, want := range map[string]string{
			"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": c.remaining, "X-RateLimit-Reset": reset,
			"RateLimit-Policy": `"partner";q=100;w=3600`, "RateLimit": `"partner";r=` + c.remaining + `;t=1800`,
		} {
			if h.Get(name) != want {
				t.Errorf("%d used: %s is %q, want %q", c.used, name, h.Get(name), want)
			}
		}
	}
}

func TestRateIsParsed(t *testing.T) {
	var r limits.Rate
	if err := r.UnmarshalText([]byte("100/1h")); err != nil || r != hourly {
		t.Errorf("%v, %v", r, err)
	}
	for _, text := range []string{"", "100", "100/", "0/1h", "x/1h", "100/1ms", "100/25h", "100/1h 3/1s"} {
		if err := r.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was parsed as %v", text, r)
		}
	}
}
