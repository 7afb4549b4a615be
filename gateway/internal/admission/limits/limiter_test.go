package limits_test

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

var tight = limits.Tier{Burst: limits.Rate{Count: 20, Per: 10 * time.Second}, Sustained: limits.Rate{Count: 1200, Per: time.Hour}}

// Three replicas decide on 2,000 requests. Sorted by Redis's clock, their decisions must match a
// sequential model.
func TestConcurrentRequestsMatchModel(t *testing.T) {
	s := sceneOn(t, patient(t, testkit.PrivateRedis(t).URL()))
	s.tier = tight
	s.fill(s.record())
	replicas := []*limits.Limiter{s.limiter, s.another(clock.System{}, slog.New(slog.DiscardHandler)), s.another(clock.System{}, slog.New(slog.DiscardHandler))}
	s.admit(replicas[0], s.heldBySomeoneElse()) // creates the day's counter
	type told struct {
		at       int64
		admitted bool
	}
	var mu sync.Mutex
	var all []told
	start := make(chan struct{})
	var wg sync.WaitGroup
	a := s.ask()
	a.Held = s.record()
	for i := range 2000 {
		wg.Go(func() {
			<-start
			d, err := replicas[i%3].Admit(t.Context(), a)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, told{d.Budget.Now, d.Outcome == limits.Admitted})
		})
	}
	close(start)
	wg.Wait()
	slices.SortFunc(all, func(a, b told) int {
		if a.at != b.at || a.admitted == b.admitted {
			return cmp.Compare(a.at, b.at)
		}
		if a.admitted {
			return -1
		}
		return 1
	})
	m, admitted := &modelMeter{tier: tight}, 0
	for i, one := range all {
		wait := m.wait(one.at)
		if one.admitted != (wait == 0) {
			t.Fatalf("request %d of %d at %d: admitted %v, but the bucket's wait is %d µs", i, len(all), one.at, one.admitted, wait)
		}
		if one.admitted {
			m.charge(one.at)
			admitted++
		}
	}
	if len(all) != 2000 || admitted < 20 {
		t.Errorf("%d decisions, %d admitted", len(all), admitted)
	}
}

// heldBySomeoneElse returns a request that counts against the scene's account, but against a different
// tier subject.
func (s *scene) heldBySomeoneElse() limits.Ask {
	a := s.ask()
	a.Subject, a.Held = "con_other", s.record()
	return a
}

func TestRejectedRequestsAreNotCharged(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
	s.tier = limits.Tier{Burst: limits.Rate{Count: 1, Per: time.Hour}, Sustained: limits.Rate{Count: 5, Per: time.Hour}}
	s.plan = &authv1.Plan{PerMinute: 1000, PerDay: 5}
	if d := s.admit(s.limiter, s.ask()); d.Outcome != limits.Missing || d.Budget != nil || d.Record != nil {
		t.Fatalf("without a record: %+v", d)
	}
	suspended := s.record()
	suspended.AccountSuspended = true
	s.fill(suspended)
	for range 3 {
		d := s.admit(s.limiter, s.ask())
		if d.Outcome != limits.Suspended || d.Refusal != nil || d.Budget.MinuteUsed != 0 || d.Budget.DayUsed != 0 || !d.Record.GetAccountSuspended() {
			t.Fatalf("suspended: %+v", d)
		}
	}
	s.fill(s.record())
	if d := s.admit(s.limiter, s.ask()); d.Outcome != limits.Admitted || d.Budget.DayUsed != 1 {
		t.Fatalf("the first request: %+v", d)
	}
	for range 5 { // the tier rejects the request, so the account is not charged
		if d := s.admit(s.limiter, s.ask()); !errs.HasCode(d.Refusal, limits.CodeRate) || d.Budget.DayUsed != 1 {
			t.Fatalf("over the tier: %+v", d)
		}
	}
	other := func(subject string) limits.Ask {
		a := s.ask()
		a.Subject = subject
		return a
	}
	for i := range 4 {
		if d := s.admit(s.limiter, other(string(rune('a'+i)))); d.Outcome != limits.Admitted {
			t.Fatalf("a different connection: %+v", d)
		}
	}
	for range 3 { // the day rejects the request, so the connection's tier is not charged
		d := s.admit(s.limiter, other("z"))
		e, _ := errs.As(d.Refusal)
		midnight := time.UnixMicro(d.Budget.Now).UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		if !errs.HasCode(d.Refusal, limits.CodeQuota) || d.Budget.DayUsed != 5 || e.RetryAfter != midnight.Sub(time.UnixMicro(d.Budget.Now)) {
			t.Fatalf("over the quota: %+v", d)
		}
	}
	if held := s.rdb.Exists(t.Context(), "{dev_1}:tier:z").Val(); held != 0 {
		t.Error("a rejected request was charged to its tier")
	}
}

func TestCountersExpire(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
	s.tier = tight
	s.fill(s.record())
	for range 2 { // the second round uses the counters of the first
		s.admit(s.limiter, s.ask())
		if err := s.limiter.Surface(t.Context(), tight, "oauth address 192.0.2.1"); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range s.rdb.Keys(t.Context(), "*").Val() {
		if ttl := s.rdb.PTTL(t.Context(), key).Val(); ttl <= 0 || ttl > 26*time.Hour {
			t.Errorf("%s has a lifetime of %v", key, ttl)
		}
	}
	// A day's counter lives until an hour after the day, because the replicas' clocks may differ.
	midnight := s.rdb.Time(t.Context()).Val().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	if ends := time.Unix(0, 0).Add(s.rdb.PExpireTime(t.Context(), "{dev_1}:spent").Val()); ends.After(midnight.Add(time.Hour + time.Second)) {
		t.Errorf("the day's counter expires at %v", ends.UTC())
	}
	// A window's counter is useless after the end of the window.
	s.limiter.Charge(t.Context(), hourly, "a")
	hourEnds := s.rdb.Time(t.Context()).Val().Truncate(time.Hour).Add(time.Hour)
	for _, key := range s.rdb.Keys(t.Context(), "tier:*").Val() {
		if ends := time.Unix(0, 0).Add(s.rdb.PExpireTime(t.Context(), key).Val()); ends.After(hourEnds.Add(tight.Burst.Per + time.Second)) {
			t.Errorf("%s expires at %v", key, ends.UTC())
		}
	}
}

// A change of plan starts a new generation, which invalidates all records.
func TestChangedPlanAppliesAtNextRequest(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
	s.fill(s.record())
	s.admit(s.limiter, s.ask())
	if err := sessionrecord.ForgetAccount(t.Context(), s.replicas(), s.ref.AccountID); err != nil {
		t.Fatal(err)
	}
	if d := s.admit(s.limiter, s.ask()); d.Outcome != limits.Missing {
		t.Fatalf("decided by the old plan: %+v", d)
	}
	s.plan = &authv1.Plan{PerMinute: 1, PerDay: 1}
	s.fill(s.record())
	if d := s.admit(s.limiter, s.ask()); !errs.HasCode(d.Refusal, limits.CodeQuota) || d.Budget.PerMinute != 1 || d.Budget.DayUsed != 1 {
		t.Errorf("by the new plan: %+v", d)
	}
}

func TestMissingDayStartsFromRecordedUsage(t *testing.T) {
	r := testkit.PrivateRedis(t)
	s := newScene(t, redisx.Config{URL: r.URL()})
	s.plan = &authv1.Plan{PerMinute: 1_000_000, PerDay: 1000}
	s.usage.of = func(string) int32 { return 900 }
	s.fill(s.record())
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { s.admit(s.limiter, s.ask()) })
	}
	wg.Wait()
	if d := s.admit(s.limiter, s.ask()); d.Budget.DayUsed != 951 {
		t.Errorf("%d used, want 951", d.Budget.DayUsed)
	}
	if err := s.rdb.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	s.fill(s.record())
	if d := s.admit(s.limiter, s.ask()); d.Budget.DayUsed != 952 {
		t.Errorf("after FLUSHALL %d used, but the replica has seen 951", d.Budget.DayUsed)
	}
	if d := s.admit(s.another(clock.System{}, slog.New(slog.DiscardHandler)), s.ask()); d.Budget.DayUsed != 953 {
		t.Errorf("a different replica counts %d", d.Budget.DayUsed)
	}
}

// This must hold for every interleaving. Any request may find that the day's counter is missing before the auth
// service has responded to the first request, and may resume long afterwards.
func TestConcurrentMissesCallAuthOnce(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.PrivateRedis(t).URL()})
	s.fill(s.record())
	noon := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
	ask := func(at time.Time) {
		s.limiter.UseClock(fmt.Sprintf("local now = %d\n", at.UnixMicro()))
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { s.admit(s.limiter, s.ask()) })
		}
		wg.Wait()
	}
	forget := func() {
		if err := s.rdb.FlushAll(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		s.fill(s.record())
	}
	for _, c := range []struct {
		at   time.Time
		want int32
	}{
		{noon, 1},
		{noon.Add(-time.Second), 1}, // found missing before the auth service responded, looked up afterwards
		{noon.Add(time.Second), 1},
		{noon.Add(time.Second + time.Microsecond), 2},
		{noon.Add(time.Microsecond), 2}, // from a replica whose clock is behind
		{noon, 3},
	} {
		ask(c.at)
		if got := s.usage.calls.Load(); got != c.want {
			t.Errorf("auth was called %d times up to %v, want %d", got, c.at, c.want)
		}
		forget()
	}
}

func TestMissingDayWithoutAuthIsUnavailable(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
	s.fill(s.record())
	fault := errors.New("down")
	s.usage.fault.Store(&fault)
	if _, err := s.limiter.Admit(t.Context(), s.ask()); errs.KindOf(err) != errs.Unavailable {
		t.Fatalf("err = %v", err)
	}
	s.usage.fault.Store(nil)
	if d := s.admit(s.limiter, s.ask()); d.Outcome != limits.Admitted || d.Budget.DayUsed != 1 {
		t.Errorf("%+v", d)
	}
}

func TestScriptFlushLosesNothing(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.PrivateRedis(t).URL()})
	s.fill(s.record())
	for want := int64(1); want <= 5; want++ {
		if d := s.admit(s.limiter, s.ask()); d.Budget.DayUsed != want {
			t.Fatalf("%d used, want %d", d.Budget.DayUsed, want)
		}
		if err := s.rdb.ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// The result must not depend on which replica serves the first request after the loss.
func TestFlushAllDoesNotRefillMinute(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.PrivateRedis(t).URL()})
	s.limiter.UseClock(fakeTime)
	other := s.another(clock.System{}, slog.New(slog.DiscardHandler))
	other.UseClock(fakeTime)
	held := s.ask()
	held.Held = s.record()
	at := func() { s.rdb.Set(t.Context(), "clock", time.Date(2026, 3, 1, 12, 0, 30, 0, time.UTC).UnixMicro(), 0) }
	at()
	s.admit(s.limiter, held)
	for range 5 {
		s.admit(other, held)
	}
	if err := s.rdb.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	at()
	s.admit(s.limiter, held) // the replica remembers one request of the minute
	if d := s.admit(other, held); d.Budget.MinuteUsed != 7 || d.Budget.DayUsed != 7 {
		t.Errorf("minute used %d, day used %d, want 7 each: this replica has reported 6", d.Budget.MinuteUsed, d.Budget.DayUsed)
	}
}

func TestBudgetHeadersShowLimits(t *testing.T) {
	at := time.Date(2026, 3, 1, 23, 59, 18, 400_000_000, time.UTC)
	for name, c := range map[string]struct {
		budget limits.Budget
		want   map[string]string
	}{
		"some": {
			limits.Budget{PerMinute: 300, PerDay: 20_000, MinuteUsed: 1, DayUsed: 4_001, Now: at.UnixMicro()},
			map[string]string{
				"x-ratelimit-limit": "300", "x-ratelimit-remaining": "299", "x-ratelimit-reset": "1772409600",
				"x-quota-limit": "20000", "x-quota-remaining": "15999", "x-quota-reset": "1772409600",
				"RateLimit-Policy": `"minute";q=300;w=60, "day";q=20000;w=86400`,
				"RateLimit":        `"minute";r=299;t=42, "day";r=15999;t=42`,
			},
		},
		"usage above the current plan": {
			limits.Budget{PerMinute: 10, PerDay: 20, MinuteUsed: 300, DayUsed: 21, Now: at.Add(-24 * time.Hour).UnixMicro()},
			map[string]string{
				"x-ratelimit-remaining": "0", "x-quota-remaining": "0", "x-quota-reset": "1772323200",
				"RateLimit": `"minute";r=0;t=42, "day";r=0;t=42`,
			},
		},
		"with a tier": {
			limits.Budget{PerMinute: 300, PerDay: 20_000, Now: at.UnixMicro(), Tier: tight},
			map[string]string{"RateLimit-Policy": `"minute";q=300;w=60, "day";q=20000;w=86400, "burst";q=20;w=10, "sustained";q=1200;w=3600`},
		},
	} {
		h := http.Header{}
		c.budget.SetHeaders(h)
		for field, want := range c.want {
			if got := h.Get(field); got != want {
				t.Errorf("%s: %s: %s, want %s", name, field, got, want)
			}
		}
	}
}

func TestTierIsParsed(t *testing.T) {
	var tier limits.Tier
	if err := tier.UnmarshalText([]byte("20/10s 1200/1h")); err != nil || tier != tight {
		t.Errorf("%+v, %v", tier, err)
	}
	if err := tier.UnmarshalText([]byte("  20/10.0009s   1200/1h ")); err != nil || tier != tight { // rounded to whole milliseconds
		t.Errorf("%+v, %v", tier, err)
	}
	for _, good := range []string{"1/1s 1/1s", "1000000/1h 1000000/24h"} {
		if err := tier.UnmarshalText([]byte(good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", "20/10s", "20 1200", "1000001/1s 1/1s", "1/1s 1/24h1s", "1/1h1s 1/1h", "1/999ms 1/1s", "0/1s 1/1s", "-1/1s 1/1s", "1/0s 1/1s", "1/1ms 1/1s", "1/2h 1/1h", "1/1s 1/48h", "2000000/1s 1/1s", "a/1s 1/1s", "1/1s 1/x"} {
		if err := tier.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
