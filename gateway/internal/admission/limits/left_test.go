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

// Whoever only looks must not use up what others may spend, and sees what they have spent.
func TestToLookAtALimitSpendsNothingOfIt(t *testing.T) {
	one := limits.Tier{Burst: limits.Rate{Count: 1, Per: time.Hour}, Sustained: limits.Rate{Count: 5, Per: time.Hour}}
	server := testkit.PrivateRedis(t)
	s := newScene(t, redisx.Config{URL: server.URL()})
	now := clock.NewFake(time.Now())
	story := func(where string, l *limits.Limiter) {
		t.Helper()
		for range 3 {
			if err := l.Left(t.Context(), one, where); err != nil {
				t.Errorf("%s: nothing is spent, and a look gives %v", where, err)
			}
		}
		if err := l.Surface(t.Context(), one, where); err != nil {
			t.Errorf("%s: after three looks: %v", where, err)
		}
		for name, err := range map[string]error{"a look": l.Left(t.Context(), one, where), "a request": l.Surface(t.Context(), one, where)} {
			if !errs.HasCode(err, limits.CodeRate) {
				t.Errorf("%s: once it is spent, %s gives %v", where, name, err)
			}
		}
		if err := l.Left(t.Context(), one, where+" of another"); err != nil {
			t.Errorf("%s: another subject: %v", where, err)
		}
		if err := l.Left(t.Context(), limits.Tier{}, where); err != nil {
			t.Errorf("%s: no limit: %v", where, err)
		}
	}
	story("in Redis", s.limiter)
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	story("without Redis", s.another(now, slog.New(slog.DiscardHandler)))
}
