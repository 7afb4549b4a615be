package limits_test

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
)

func (s *scene) standing(l *limits.Limiter) limits.Standing {
	s.Helper()
	got, err := l.Standing(s.Context(), s.ref.AccountID)
	if err != nil {
		s.Fatal(err)
	}
	return got
}

func TestStandingChargesNothing(t *testing.T) {
	server := testkit.PrivateRedis(t)
	s := newScene(t, redisx.Config{URL: server.URL()})
	s.usage.of = func(string) int32 { return 40 }
	if got := s.standing(s.limiter); got.DayUsed != 40 || got.MinuteUsed != 0 {
		t.Errorf("before any request: %+v, want what auth has recorded", got)
	}
	s.fill(s.record())
	replica := s.another(clock.System{}, slog.New(slog.DiscardHandler))
	var last limits.Decision
	for range 3 {
		last = s.admit(s.limiter, s.ask())
	}
	for range 5 {
		got := s.standing(replica)
		if got.WithoutRedis {
			t.Error("WithoutRedis is set although Redis responds")
		}
		if got.DayUsed != last.Budget.DayUsed || got.Now.Minute() == time.UnixMicro(last.Budget.Now).Minute() && got.MinuteUsed != last.Budget.MinuteUsed {
			t.Errorf("at a different replica: %+v, but the last request returned %+v", got, last.Budget)
		}
		if !got.MinuteEnds.After(got.Now) || got.MinuteEnds.Sub(got.Now) > time.Minute || got.MinuteEnds.Second() != 0 {
			t.Errorf("at %v the minute ends at %v", got.Now, got.MinuteEnds)
		}
		if !got.DayEnds.After(got.Now) || got.DayEnds.Sub(got.Now) > 24*time.Hour || got.DayEnds.Hour() != 0 {
			t.Errorf("at %v the day ends at %v", got.Now, got.DayEnds)
		}
	}
	if next := s.admit(s.limiter, s.ask()); next.Budget.DayUsed != last.Budget.DayUsed+1 {
		t.Errorf("after Standing, %d used, want %d", next.Budget.DayUsed, last.Budget.DayUsed+1)
	}
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.standing(s.limiter); got.DayUsed != 44 || !got.WithoutRedis {
		t.Errorf("without Redis: %+v, want the usage at this replica", got)
	}
	down := error(errs.New(errs.Unavailable, errs.CodeUnavailable, "down"))
	s.usage.fault.Store(&down)
	stranger := s.another(clock.NewFake(time.Now().Add(48*time.Hour)), slog.New(slog.DiscardHandler))
	if _, err := stranger.Standing(t.Context(), s.ref.AccountID); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("with neither Redis nor auth: %v", err)
	}
}

func TestSurfacesHaveLogNames(t *testing.T) {
	tiers := limits.Tiers{APIKey: one(1), UserToken: one(2), CVLink: one(3)}
	var names []string
	for _, s := range tiers.Surfaces() {
		names = append(names, append([]string{s.Name, s.CountedFor}, s.Names()...)...)
	}
	want := []string{
		"/v1 with an API key", "the app, all its keys together", "api_key_burst", "api_key_sustained",
		"/v1/me with an access token", "the connection", "user_token_burst", "user_token_sustained",
		"/v1/cv-links/{token}", "the IP address",
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func one(n int64) limits.Tier {
	r := limits.Rate{Count: n, Per: time.Second}
	return limits.Tier{Burst: r, Sustained: r}
}
