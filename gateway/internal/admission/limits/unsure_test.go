package limits_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// A new day may begin during the call to the auth service about the old day. If this happens twice, the
// clock is unusable.
func TestUsageIsReloadedOnNewDay(t *testing.T) {
	for days, want := range map[int32]int32{1: 2, 9: 3} {
		usage := &fakeUsage{}
		l, now := limiterWithoutRedis(t, usage, noon)
		usage.of = func(string) int32 {
			if usage.calls.Load() <= days {
				now.Advance(24 * time.Hour)
			}
			return 0
		}
		s := scene{TB: t, ref: ref("dev_1"), plan: wide()}
		_, err := l.Admit(t.Context(), s.heldBySomeoneElse())
		if refused := errs.KindOf(err) == errs.Unavailable; refused != (days > 1) || err != nil && !refused || usage.calls.Load() != want {
			t.Errorf("%d days: %v after %d calls", days, err, usage.calls.Load())
		}
	}
}

func TestUsageIsReusedFor15SecondsWithoutRedis(t *testing.T) {
	usage := &fakeUsage{}
	l, now := limiterWithoutRedis(t, usage, noon)
	s := scene{TB: t, ref: ref("dev_1"), plan: wide()}
	for _, c := range []struct {
		after time.Duration
		calls int32
	}{{0, 1}, {15 * time.Second, 1}, {time.Microsecond, 2}} {
		now.Advance(c.after)
		if s.admit(l, s.heldBySomeoneElse()); usage.calls.Load() != c.calls {
			t.Errorf("after %v more, auth was called %d times, want %d", c.after, usage.calls.Load(), c.calls)
		}
	}
}

// Otherwise, the replica would allow a whole day's budget once Redis is down.
func TestMissingCounterIsNotLearnedAsZero(t *testing.T) {
	fault := errors.New("down")
	for name, before := range map[string]func(*outageScene){
		"no record": func(s *outageScene) { s.admit(s.limiter, s.ask()) },
		"no counter of the day": func(s *outageScene) {
			s.usage.fault.Store(&fault)
			if _, err := s.limiter.Admit(t.Context(), s.held()); errs.KindOf(err) != errs.Unavailable {
				t.Errorf("with auth down: %v", err)
			}
			s.usage.fault.Store(nil)
		},
	} {
		s := newOutage(t)
		s.usage.of = func(string) int32 { return 900 }
		before(s)
		if err := s.redis.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := s.admit(s.limiter, s.held()); d.Budget.DayUsed != 901 {
			t.Errorf("%s: %d used, want 901", name, d.Budget.DayUsed)
		}
	}
}

func TestRecordDecidesUntilCredentialExpires(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
	now := clock.NewFake(time.Now())
	l := s.another(now, slog.New(slog.DiscardHandler))
	record := s.record()
	record.ExpiresAt = timestamppb.New(now.Now().Add(time.Minute))
	s.fill(record)
	now.Advance(time.Minute - time.Microsecond)
	if d := s.admit(l, s.ask()); d.Outcome != limits.Admitted {
		t.Errorf("a microsecond before the expiry: %s", d.Outcome)
	}
	now.Advance(time.Microsecond)
	if d := s.admit(l, s.ask()); d.Outcome != limits.Missing {
		t.Errorf("at the expiry: %s", d.Outcome)
	}
}

// forged writes a record without a valid seal to Redis.
func (s *scene) forged() {
	s.Helper()
	other, err := sessionrecord.NewSeal(testkit.Ring("record", "b"))
	if err != nil {
		s.Fatal(err)
	}
	lease, err := sessionrecord.BeginFill(s.Context(), s.rdb, s.ref)
	if err != nil {
		s.Fatal(err)
	}
	if ok, err := sessionrecord.CompleteFill(s.Context(), s.rdb, other, s.ref, lease, s.record(), time.Now()); !ok || err != nil {
		s.Fatal(ok, err)
	}
}

func TestForgedRecordCausesSecondDecision(t *testing.T) {
	for name, c := range map[string]struct {
		plan      *authv1.Plan
		suspended bool
		outcome   limits.Outcome
		wait      time.Duration
	}{
		"within":        {&authv1.Plan{PerMinute: 1, PerDay: 1}, false, limits.Admitted, 0},
		"over a day":    {&authv1.Plan{PerMinute: 0, PerDay: 0}, false, "day", 12*time.Hour - 20*time.Second},
		"over a minute": {&authv1.Plan{PerMinute: 0, PerDay: 1}, false, "minute", 40 * time.Second},
		"suspended":     {&authv1.Plan{PerMinute: 0, PerDay: 0}, true, limits.Suspended, 0},
	} {
		s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
		s.limiter.UseClock(fakeTime)
		s.rdb.Set(t.Context(), "clock", noon.Add(20*time.Second).UnixMicro(), 0)
		s.plan = wide()
		s.forged()
		d := s.admit(s.limiter, s.ask())
		if d.Outcome != limits.Missing || d.Record != nil || d.Budget != nil || d.Charged == nil {
			t.Fatalf("%s: for the forged record: %+v", name, d)
		}
		ask := s.ask()
		s.plan = c.plan
		ask.Charged, ask.Held = d.Charged, s.record()
		ask.Held.AccountSuspended = c.suspended
		d = s.admit(s.limiter, ask)
		var wait time.Duration
		if e, refused := errs.As(d.Refusal); refused {
			wait = e.RetryAfter
		}
		if d.Outcome != c.outcome || d.Record != ask.Held || wait != c.wait || d.Budget.DayUsed != 1 {
			t.Errorf("%s: %s, wait %v, %+v", name, d.Outcome, wait, d.Budget)
		}
	}
}

// scripted is a fake Redis that returns the given replies and then errors.
type scripted struct{ answers []any }

func (a *scripted) Process(_ context.Context, cmd redis.Cmder) error {
	if len(a.answers) == 0 {
		return down{}.Process(context.Background(), cmd)
	}
	cmd.(interface{ SetVal(any) }).SetVal(a.answers[0])
	a.answers = a.answers[1:]
	return nil
}

func (a *scripted) limiter(t *testing.T, now *clock.Fake) *limits.Limiter {
	t.Helper()
	return newLimiter(t, a, &fakeUsage{}, now, slog.New(slog.DiscardHandler))
}

// The reply may come from a newer or modified script.
func TestMalformedReplyCountsAsOutage(t *testing.T) {
	at := noon.UnixMicro()
	for name, answer := range map[string]any{
		"too short":         []any{"admitted", at, int64(1), int64(1), int64(0)},
		"too long":          []any{"admitted", at, int64(1), int64(1), int64(0), nil, nil},
		"text":              []any{"admitted", at, "1", int64(1), int64(0), nil},
		"no wait":           []any{"admitted", at, int64(1), int64(1), nil, nil},
		"an invalid record": []any{"admitted", at, int64(1), int64(1), int64(0), []any{"x"}},
	} {
		a := &scripted{answers: []any{answer}}
		s := scene{TB: t, ref: ref("dev_1"), plan: wide()}
		if d := s.admit(a.limiter(t, clock.NewFake(noon)), s.heldBySomeoneElse()); !d.WithoutRedis || d.Outcome != limits.Admitted {
			t.Errorf("%s: %+v", name, d)
		}
	}
	for name, answer := range map[string]any{"one": []any{int64(0)}, "three": []any{int64(9), at, at}, "text": []any{"9", "x"}} {
		a := &scripted{answers: []any{answer}}
		if err := a.limiter(t, clock.NewFake(noon)).Surface(t.Context(), tight, "x"); err != nil {
			t.Errorf("a surface, %s: %v", name, err)
		}
	}
	for name, answer := range map[string]any{"two": []any{at, int64(100)}, "four": []any{at, int64(100), int64(1), at}} {
		a := &scripted{answers: []any{answer}}
		if w := a.limiter(t, clock.NewFake(noon)).Charge(t.Context(), hourly, "x"); w.Refusal != nil || w.Charged != 1 {
			t.Errorf("a window, %s: %+v", name, w)
		}
	}
}

// A replica keeps the highest usage of the latest window.
func TestLateReplyDoesNotLowerUsage(t *testing.T) {
	told := func(at time.Time, used int64) any { return []any{at.UnixMicro(), used, int64(0)} }
	for name, c := range map[string]struct {
		second any
		at     time.Time
		want   int64
	}{
		"out of order":    {told(noon, 3), noon, 5},
		"in order":        {told(noon, 7), noon, 7},
		"of a new window": {told(noon.Add(time.Hour), 3), noon.Add(time.Hour), 3},
	} {
		a, now := &scripted{answers: []any{told(noon, 5), c.second}}, clock.NewFake(c.at)
		l := a.limiter(t, now)
		l.Charge(t.Context(), hourly, "x")
		l.Charge(t.Context(), hourly, "x")
		if w := l.Read(t.Context(), hourly, "x"); w.Charged != c.want {
			t.Errorf("%s: the replica remembers %d, want %d", name, w.Charged, c.want)
		}
	}
}

// busyUsage is a fake usage service that never responds.
type busyUsage struct {
	authv1.UsageServiceClient
	asked atomic.Int32
}

func (b *busyUsage) GetSpent(ctx context.Context, _ *authv1.GetSpentRequest, _ ...grpc.CallOption) (*authv1.GetSpentResponse, error) {
	b.asked.Add(1)
	<-ctx.Done()
	return nil, ctx.Err()
}

// At midnight, the usage of all accounts is needed at the same time.
func TestUsageLookupsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		usage, began := &busyUsage{}, time.Now()
		l := newLimiter(t, down{}, usage, clock.NewFake(noon), slog.New(slog.DiscardHandler))
		ask := func(ctx context.Context, account string) error {
			s := scene{TB: t, ref: ref(account), plan: wide()}
			_, err := l.Admit(ctx, s.heldBySomeoneElse())
			return err
		}
		const accounts = 40
		ended := make(chan error, accounts)
		for i := range accounts {
			go func() { ended <- ask(t.Context(), "dev_"+string(rune('A'+i))) }()
		}
		synctest.Wait()
		if got := usage.asked.Load(); got != 16 {
			t.Errorf("auth is called for %d accounts concurrently", got)
		}
		leaving, leave := context.WithCancel(t.Context())
		leave()
		if err := ask(leaving, "dev_A"); errs.KindOf(err) != errs.Unavailable || !errors.Is(err, context.Canceled) || time.Since(began) > 0 {
			t.Errorf("a canceled request got %v after %v", err, time.Since(began))
		}
		for range accounts {
			if err := <-ended; errs.KindOf(err) != errs.Unavailable || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 3*time.Second {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
		}
	})
}
