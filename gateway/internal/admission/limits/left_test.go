package limits_test

import (
	"log/slog"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
)

func TestCheckSurfaceChargesNothing(t *testing.T) {
	one := limits.Tier{Burst: limits.Rate{Count: 1, Per: time.Hour}, Sustained: limits.Rate{Count: 5, Per: time.Hour}}
	server := testkit.PrivateRedis(t)
	s := newScene(t, redisx.Config{URL: server.URL()})
	now := clock.NewFake(time.Now())
	story := func(where string, l *limits.Limiter) {
		t.Helper()
		for range 3 {
			if err := l.CheckSurface(t.Context(), one, where, 0); err != nil {
				t.Errorf("%s: a check with nothing used returns %v", where, err)
			}
		}
		if err := l.Surface(t.Context(), one, where); err != nil {
			t.Errorf("%s: after three checks: %v", where, err)
		}
		for name, err := range map[string]error{"a check": l.CheckSurface(t.Context(), one, where, 0), "a request": l.Surface(t.Context(), one, where)} {
			if !errs.HasCode(err, limits.CodeRate) {
				t.Errorf("%s: once the limit is used up, %s returns %v", where, name, err)
			}
		}
		if err := l.CheckSurface(t.Context(), one, where+" of another", 0); err != nil {
			t.Errorf("%s: a different subject: %v", where, err)
		}
		if err := l.CheckSurface(t.Context(), limits.Tier{}, where, 0); err != nil {
			t.Errorf("%s: no limit: %v", where, err)
		}
	}
	story("in Redis", s.limiter)
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	story("without Redis", s.another(now, slog.New(slog.DiscardHandler)))
}

// Other requests in progress may be charged before this one.
func TestCheckSurfaceReservesForOthers(t *testing.T) {
	tiers := map[string]limits.Tier{
		"burst":     {Burst: limits.Rate{Count: 4, Per: time.Hour}, Sustained: limits.Rate{Count: 100, Per: time.Hour}},
		"sustained": {Burst: limits.Rate{Count: 100, Per: time.Hour}, Sustained: limits.Rate{Count: 4, Per: 24 * time.Hour}},
	}
	server := testkit.PrivateRedis(t)
	s := newScene(t, redisx.Config{URL: server.URL()})
	now := clock.NewFake(time.Now())
	story := func(where string, l *limits.Limiter) {
		t.Helper()
		for name, tier := range tiers {
			subject := where + name
			if err := l.Surface(t.Context(), tier, subject); err != nil {
				t.Fatal(err)
			}
			if err := l.CheckSurface(t.Context(), tier, subject, 2); err != nil {
				t.Errorf("%s, %s: three requests left, two in progress: %v", where, name, err)
			}
			if err := l.CheckSurface(t.Context(), tier, subject, 3); !errs.HasCode(err, limits.CodeRate) {
				t.Errorf("%s, %s: three requests left, three in progress: %v", where, name, err)
			}
		}
	}
	story("in Redis", s.limiter)
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	story("without Redis", s.another(now, slog.New(slog.DiscardHandler)))
}
