package limits_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// outageScene is a scene with a Redis server that the test can stop.
type outageScene struct {
	*scene
	redis *backing.Redis
	now   *clock.Fake
	log   bytes.Buffer
}

func newOutage(t *testing.T) *outageScene {
	t.Helper()
	r := testkit.PrivateRedis(t)
	s := &outageScene{scene: newScene(t, redisx.Config{URL: r.URL()}), redis: r, now: clock.NewFake(time.Now())}
	s.limiter = s.another(s.now, slog.New(slog.NewTextHandler(&s.log, nil)))
	return s
}

func (s *outageScene) held() limits.Ask {
	a := s.ask()
	a.Held = s.record()
	return a
}

func TestSameLimitsApplyWithoutRedis(t *testing.T) {
	s := newOutage(t)
	// Start in the middle of a minute and of a day, on a clock that only the test moves.
	s.now = clock.NewFake(time.Date(2026, 3, 1, 12, 0, 10, 0, time.UTC))
	s.limiter = s.another(s.now, slog.New(slog.NewTextHandler(&s.log, nil)))
	s.plan = &authv1.Plan{PerMinute: 5, PerDay: 1000}
	s.usage.of = func(string) int32 { return 900 }
	if err := s.redis.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := s.admit(s.limiter, s.ask()); d.Outcome != limits.Missing {
		t.Fatalf("without a record: %+v", d)
	}
	for want := int64(1); want <= 5; want++ {
		if d := s.admit(s.limiter, s.held()); d.Outcome != limits.Admitted || d.Budget.MinuteUsed != want || d.Budget.DayUsed != 900+want {
			t.Fatalf("request %d: %+v", want, *d.Budget)
		}
	}
	d := s.admit(s.limiter, s.held())
	if e, _ := errs.As(d.Refusal); !errs.HasCode(d.Refusal, limits.CodeRate) || e.RetryAfter != 50*time.Second {
		t.Fatalf("the sixth request: %v", d.Refusal)
	}
	for range 100 {
		s.now.Advance(time.Second)
		s.admit(s.limiter, s.held())
	}
	if got := strings.Count(s.log.String(), "\n"); got != 1 {
		t.Errorf("%d log lines for one outage:\n%s", got, &s.log)
	}
	// Other replicas also charge requests to the day, so the auth service is called again every 15
	// seconds.
	if got := s.usage.calls.Load(); got != 7 {
		t.Errorf("auth was called %d times in 100 s, want 7", got)
	}
}

func TestDayUsageSurvivesOutage(t *testing.T) {
	s := newOutage(t)
	s.fill(s.record())
	for range 10 {
		s.admit(s.limiter, s.ask())
	}
	if err := s.redis.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		s.admit(s.limiter, s.held())
	}
	if err := s.redis.Restart(t.Context()); err != nil { // Redis restarts without its data
		t.Fatal(err)
	}
	s.now.Advance(2 * time.Second)
	if d := s.admit(s.limiter, s.held()); d.Budget.DayUsed != 21 {
		t.Errorf("%d used, want 21: ten before the outage, ten during it, and this one", d.Budget.DayUsed)
	}
	s.fill(s.record())
	if d := s.admit(s.limiter, s.ask()); d.Outcome != limits.Admitted || d.Budget.DayUsed != 22 {
		t.Errorf("from Redis: %+v", d)
	}
	if !strings.Contains(s.log.String(), "redis answers again") {
		t.Errorf("the log does not report the end of the outage:\n%s", &s.log)
	}
}

func TestSurfacesAreLimitedWithoutRedis(t *testing.T) {
	s := newOutage(t)
	if err := s.redis.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := s.limiter.Surface(t.Context(), tight, "oauth client a"); err != nil {
			t.Fatal(err)
		}
	}
	e, _ := errs.As(s.limiter.Surface(t.Context(), tight, "oauth client a"))
	if e == nil || e.Code != limits.CodeRate || e.RetryAfter != 500*time.Millisecond {
		t.Fatalf("the 21st request: %v", e)
	}
	if err := s.limiter.Surface(t.Context(), tight, "oauth client b"); err != nil {
		t.Errorf("a different client: %v", err)
	}
	s.now.Advance(e.RetryAfter)
	if err := s.limiter.Surface(t.Context(), tight, "oauth client a"); err != nil {
		t.Errorf("after the wait: %v", err)
	}
}

func TestMemoryIsLimitedWithoutRedis(t *testing.T) {
	l, _ := limiterWithoutRedis(t, &fakeUsage{}, time.Now())
	for i := range limits.MeterCount + 1000 {
		if err := l.Surface(t.Context(), tight, fmt.Sprint("client ", i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range limits.AccountCount + 1000 {
		s := scene{ref: ref(fmt.Sprint("dev_", i)), plan: wide()}
		if _, err := l.Admit(t.Context(), limits.Ask{Ref: s.ref, Subject: "con_1", Tier: tight, Held: s.record()}); err != nil {
			t.Fatal(err)
		}
	}
	if accounts, meters := l.Remembered(); accounts > limits.AccountCount || meters > limits.MeterCount {
		t.Errorf("the replica remembers %d accounts and %d tiers", accounts, meters)
	}
}

func TestOutageUsageCountsAfterRecovery(t *testing.T) {
	t.Parallel()
	s := newOutage(t)
	s.plan = &authv1.Plan{PerMinute: 1000, PerDay: 8}
	for range 2 {
		s.admit(s.limiter, s.held())
	}
	if err := s.redis.Freeze(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s.admit(s.limiter, s.held())
	}
	if err := s.redis.Thaw(); err != nil {
		t.Fatal(err)
	}
	s.now.Advance(time.Minute)
	if d := s.admit(s.limiter, s.held()); d.Outcome != limits.Admitted || d.Budget.DayUsed < 6 {
		t.Errorf("after five requests: %+v", *d.Budget)
	}
}

// lossyRedis runs commands against Redis. If lose is set, it discards the replies, as if they had arrived too late.
type lossyRedis struct {
	redisx.Processor
	lose bool
}

func (l *lossyRedis) Process(ctx context.Context, cmd redis.Cmder) error {
	err := l.Processor.Process(ctx, cmd)
	if l.lose {
		l.lose, err = false, context.DeadlineExceeded
		cmd.SetErr(err)
	}
	return err
}

// Redis may be available again before the decision on a request whose reply was lost.
func TestPossiblyChargedRequestIsNotRetried(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
	s.admit(s.limiter, s.heldBySomeoneElse()) // creates the day's counter
	now := clock.NewFake(time.Now())
	s.usage.of = func(string) int32 { now.Advance(time.Minute); return 1 }
	lost := &lossyRedis{Processor: s.rdb, lose: true}
	l := newLimiter(t, lost, s.usage, now, slog.New(slog.DiscardHandler))
	if d := s.admit(l, s.heldBySomeoneElse()); d.Outcome != limits.Admitted {
		t.Errorf("%+v", d)
	}
	if d := s.admit(s.limiter, s.heldBySomeoneElse()); d.Budget.DayUsed != 3 {
		t.Errorf("Redis's counter is %d, want 3 after three requests", d.Budget.DayUsed)
	}
}

func TestLargestBurstIsLimitedWithoutRedis(t *testing.T) {
	for month := range 12 { // an overflow would occur only at certain times
		largest := limits.Tier{Burst: limits.Rate{Count: 1_000_000, Per: time.Hour}, Sustained: limits.Rate{Count: 3, Per: 24 * time.Hour}}
		l, now := limiterWithoutRedis(t, &fakeUsage{}, time.Date(2026, time.Month(1+month), 1, 12, 0, 0, 0, time.UTC))
		for i := range 3 {
			if err := l.Surface(t.Context(), largest, "oauth client a"); err != nil {
				t.Errorf("%v, request %d: %v", now.Now(), i, err)
			}
		}
		if err := l.Surface(t.Context(), largest, "oauth client a"); err == nil {
			t.Errorf("%v: the fourth request was admitted", now.Now())
		}
	}
}
