package limits_test

import (
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// limiterWithoutRedis returns a limiter that has no Redis and uses a fake clock.
func limiterWithoutRedis(t *testing.T, usage *fakeUsage, at time.Time) (*limits.Limiter, *clock.Fake) {
	t.Helper()
	now := clock.NewFake(at)
	return newLimiter(t, down{}, usage, now, slog.New(slog.DiscardHandler)), now
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// (behaviour: limits#tier-headers)
func TestTierRejectionSetsHeaders(t *testing.T) {
	const policies = `"burst";q=2;w=10, "sustained";q=3;w=3600`
	tier := limits.Tier{Burst: limits.Rate{Count: 2, Per: 10 * time.Second}, Sustained: limits.Rate{Count: 3, Per: time.Hour}}
	l, now := limiterWithoutRedis(t, &fakeUsage{}, noon)
	refused := func(wait time.Duration, limit string) {
		t.Helper()
		var err error
		for range 4 { // more requests than the tier allows
			err = l.Surface(t.Context(), tier, "x")
		}
		refusal, ok := errors.AsType[*limits.TierRefusal](err)
		if !ok {
			t.Fatal("the request was admitted")
		}
		const says = "Requests come too fast: at most 2 in 10 seconds and 3 in an hour are taken here."
		if e, _ := errs.As(refusal); e.Code != limits.CodeRate || e.Message != says || e.RetryAfter != wait || refusal.Error() != e.Error() {
			t.Errorf("%+v, want a wait of %v", e, wait)
		}
		h := http.Header{}
		refusal.SetHeaders(h)
		if h.Get("RateLimit-Policy") != policies || h.Get("RateLimit") != limit {
			t.Errorf("without other limits: %v", h)
		}
		h = http.Header{"Ratelimit-Policy": {`"day";q=9;w=86400`}, "Ratelimit": {`"day";r=1;t=2`}}
		refusal.SetHeaders(h)
		if h.Get("RateLimit-Policy") != `"day";q=9;w=86400, `+policies || h.Get("RateLimit") != `"day";r=1;t=2, `+limit {
			t.Errorf("after other limits: %v", h)
		}
		h = http.Header{"Ratelimit-Policy": {policies}}
		if refusal.SetHeaders(h); h.Get("RateLimit-Policy") != policies {
			t.Errorf("already listed: %v", h)
		}
	}
	refused(5*time.Second, `"burst";r=0;t=5`)
	now.Advance(4*time.Second - time.Microsecond)
	refused(time.Second+time.Microsecond, `"burst";r=0;t=2`) // rounded up
	now.Advance(time.Minute)
	refused(time.Hour-64*time.Second+time.Microsecond, `"sustained";r=0;t=3537`)
}

func TestRejectionMessagesAreReadable(t *testing.T) {
	for per, says := range map[time.Duration]string{
		time.Second: "a second", time.Minute: "a minute", time.Hour: "an hour", 90 * time.Second: "90 seconds",
	} {
		if got := (limits.Rate{Count: 7, Per: per}).String(); got != "7 in "+says {
			t.Errorf("%v: %q", per, got)
		}
		l, _ := limiterWithoutRedis(t, &fakeUsage{}, noon)
		rate := limits.Rate{Count: 1, Per: per}
		l.Charge(t.Context(), rate, "a")
		if e, _ := errs.As(l.Charge(t.Context(), rate, "a").Refusal); e == nil || e.Message != "More than 1 requests in "+says+" are not allowed." {
			t.Errorf("%v: %v", per, e)
		}
	}
	for plan, says := range map[*authv1.Plan]string{
		{PerMinute: 0, PerDay: 9}: "The developer account has spent its 0 requests of this minute.",
		{PerMinute: 9, PerDay: 0}: "The developer account has spent its 0 requests of this UTC day.",
	} {
		l, _ := limiterWithoutRedis(t, &fakeUsage{}, noon)
		s := scene{TB: t, ref: ref("dev_1"), plan: plan}
		if e, _ := errs.As(s.admit(l, s.heldBySomeoneElse()).Refusal); e == nil || e.Message != says {
			t.Errorf("%v", e)
		}
	}
}

// The tier's error contains more information.
func TestTierErrorWinsOnEqualWaits(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
	s.plan = &authv1.Plan{PerMinute: 1, PerDay: 100}
	s.tier = limits.Tier{Burst: limits.Rate{Count: 9, Per: time.Second}, Sustained: limits.Rate{Count: 1, Per: time.Minute}}
	s.limiter.UseClock(fakeTime)
	s.rdb.Set(t.Context(), "clock", noon.UnixMicro(), 0)
	without, _ := limiterWithoutRedis(t, &fakeUsage{}, noon)
	for where, l := range map[string]*limits.Limiter{"in Redis": s.limiter, "without Redis": without} {
		ask := s.ask()
		ask.Held = s.record()
		s.admit(l, ask)
		err := s.admit(l, ask).Refusal
		_, ofTier := errors.AsType[*limits.TierRefusal](err)
		if e, refused := errs.As(err); !refused || !ofTier || e.RetryAfter != time.Minute {
			t.Errorf("%s: %v", where, err)
		}
	}
}

func TestClockSetBackDoesNotChargeTier(t *testing.T) {
	tier := limits.Tier{Burst: limits.Rate{Count: 2, Per: 10 * time.Second}, Sustained: limits.Rate{Count: 100, Per: time.Hour}}
	l, now := limiterWithoutRedis(t, &fakeUsage{}, noon.Add(time.Minute))
	for _, move := range []time.Duration{0, -5 * time.Second} {
		now.Advance(move)
		if err := l.Surface(t.Context(), tier, "x"); err != nil {
			t.Errorf("after %v: %v", move, err)
		}
	}
}

// counted returns the value of a counter for a label value.
func counted(t *testing.T, name, value string) float64 {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && m.GetLabel()[0].GetValue() == value {
				return m.GetCounter().GetValue()
			}
		}
	}
	return 0
}

func TestRejectionsAndOutagesAreCounted(t *testing.T) {
	const refusals, local = "vitae_limits_refused_total", "vitae_limits_local_total"
	once := limits.Tier{Burst: limits.Rate{Count: 1, Per: time.Second}, Sustained: limits.Rate{Count: 1, Per: time.Hour}}
	account := func(plan *authv1.Plan, tier limits.Tier) func(*limits.Limiter) {
		return func(l *limits.Limiter) {
			s := scene{TB: t, ref: ref("dev_1"), plan: plan, tier: tier}
			s.admit(l, s.heldBySomeoneElse())
			s.admit(l, s.heldBySomeoneElse())
		}
	}
	for dimension, c := range map[string]struct {
		what  string
		twice func(*limits.Limiter)
	}{
		"day":    {"account", account(&authv1.Plan{PerMinute: 9, PerDay: 1}, limits.Tier{})},
		"minute": {"account", account(&authv1.Plan{PerMinute: 1, PerDay: 9}, limits.Tier{})},
		"tier":   {"account", account(wide(), once)},
		"surface": {"surface", func(l *limits.Limiter) {
			_ = l.Surface(t.Context(), once, "x")
			_ = l.Surface(t.Context(), once, "x")
		}},
		"window": {"window", func(l *limits.Limiter) {
			l.Charge(t.Context(), limits.Rate{Count: 1, Per: time.Hour}, "x")
			l.Charge(t.Context(), limits.Rate{Count: 1, Per: time.Hour}, "x")
		}},
	} {
		l, _ := limiterWithoutRedis(t, &fakeUsage{}, noon)
		refusedBefore, localBefore := counted(t, refusals, dimension), counted(t, local, c.what)
		c.twice(l)
		if n := counted(t, refusals, dimension) - refusedBefore; n != 1 {
			t.Errorf("%s: %v rejections counted", dimension, n)
		}
		if n := counted(t, local, c.what) - localBefore; n != 2 {
			t.Errorf("%s: %v decisions without Redis counted", dimension, n)
		}
	}
}
