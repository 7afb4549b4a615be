package limits_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// model is the simplest implementation of the limits: it stores every admitted request.
type model struct {
	plan *authv1.Plan
	// recorded is the usage on the first day, before the test begins.
	recorded, firstDay int64
	account            []int64                // times of the admitted requests, in microseconds
	meters             map[string]*modelMeter // by subject
}

type modelMeter struct {
	tier     limits.Tier
	admitted []int64
	tokens   *big.Rat // nil if the bucket is full
	at       int64
}

const (
	second = int64(1_000_000)
	minute = 60 * second
	day    = 24 * 60 * minute
)

func within(admitted []int64, now, window int64) (n int64) {
	for _, at := range admitted {
		if at/window == now/window {
			n++
		}
	}
	return n
}

// refill adds the tokens that have accrued since the last request.
func (m *modelMeter) refill(now int64) {
	full := big.NewRat(m.tier.Burst.Count, 1)
	if m.tokens == nil {
		m.tokens = full
	} else {
		got := big.NewRat((now-m.at)*m.tier.Burst.Count, m.tier.Burst.Per.Microseconds())
		if m.tokens = got.Add(got, m.tokens); m.tokens.Cmp(full) > 0 {
			m.tokens = full
		}
	}
	m.at = now
}

// wait returns how long the tier makes a request wait.
func (m *modelMeter) wait(now int64) (wait int64) {
	m.refill(now)
	if missing := new(big.Rat).Sub(big.NewRat(1, 1), m.tokens); missing.Sign() > 0 {
		micros := missing.Mul(missing, big.NewRat(m.tier.Burst.Per.Microseconds(), m.tier.Burst.Count))
		up := new(big.Int).Add(micros.Num(), new(big.Int).Sub(micros.Denom(), big.NewInt(1)))
		wait = up.Div(up, micros.Denom()).Int64()
	}
	if window := m.tier.Sustained.Per.Microseconds(); within(m.admitted, now, window) >= m.tier.Sustained.Count {
		wait = max(wait, (now/window+1)*window-now)
	}
	return wait
}

func (m *modelMeter) charge(now int64) {
	m.tokens = new(big.Rat).Sub(m.tokens, big.NewRat(1, 1))
	m.admitted = append(m.admitted, now)
}

// ask charges a request. If a limit rejects it, ask returns the wait and the error code.
func (m *model) ask(now int64, subject string) (wait int64, code string) {
	meter := m.meters[subject]
	if wait = meter.wait(now); wait > 0 {
		code = limits.CodeRate
	}
	if within(m.account, now, minute) >= int64(m.plan.GetPerMinute()) {
		wait, code = max(wait, (now/minute+1)*minute-now), limits.CodeRate
	}
	if m.dayUsed(now) >= int64(m.plan.GetPerDay()) {
		wait, code = max(wait, (now/day+1)*day-now), limits.CodeQuota
	}
	if code == "" {
		meter.charge(now)
		m.account = append(m.account, now)
	}
	return wait, code
}

func (m *model) dayUsed(now int64) int64 {
	n := within(m.account, now, day)
	if now/day == m.firstDay {
		n += m.recorded
	}
	return n
}

// down is a fake Redis that never responds.
type down struct{}

func (down) Process(_ context.Context, cmd redis.Cmder) error {
	err := errors.New("down")
	cmd.SetErr(err)
	return err
}

func TestRedisDecisionsMatchModel(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.Redis(t)})
	compare(t, s.rdb, func(now int64) {
		if err := s.rdb.Set(t.Context(), "clock", now, 0).Err(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestLocalDecisionsMatchModel(t *testing.T) {
	compare(t, down{}, func(int64) {})
}

// fakeTime is Lua that replaces Redis's clock.
const fakeTime = `local now = tonumber(redis.call('GET', 'clock'))`

var walks int

// compare sends requests for an account with two connections. Between them, it moves the clock, also past the
// ends of minutes and days.
func compare(t *testing.T, rdb redisx.Processor, setClock func(micros int64)) {
	rapid.Check(t, func(rt *rapid.T) {
		walks++
		account := fmt.Sprint("dev_", walks)
		tier := drawTier(rt)
		plan := &authv1.Plan{PerMinute: rapid.Int32Range(1, 12).Draw(rt, "per minute"), PerDay: rapid.Int32Range(1, 40).Draw(rt, "per day")}
		start := time.Date(2026, 3, 1, 23, rapid.IntRange(50, 59).Draw(rt, "minute"), rapid.IntRange(0, 59).Draw(rt, "second"), 0, time.UTC)
		now := clock.NewFake(start)
		m := &model{
			plan: plan, recorded: rapid.Int64Range(0, 10).Draw(rt, "recorded"), firstDay: start.UnixMicro() / day,
			meters: map[string]*modelMeter{},
		}
		// The usage recorded by the auth service grows as the gateway reports the requests that it
		// admits.
		usage := &fakeUsage{of: func(string) int32 { return int32(m.dayUsed(now.Now().UnixMicro())) }}
		l := newLimiter(rt, rdb, usage, now, slog.New(slog.DiscardHandler))
		l.UseClock(fakeTime)
		for _, subject := range []string{"con_1", "con_2"} {
			m.meters[subject] = &modelMeter{tier: tier}
		}
		var ask func(subject string) (code string)
		ask = func(subject string) (code string) {
			at := now.Now().UnixMicro()
			setClock(at)
			s := scene{ref: ref(account), plan: plan}
			d, err := l.Admit(t.Context(), limits.Ask{Ref: s.ref, Tier: tier, Subject: subject, Held: s.record()})
			wantWait, wantCode := m.ask(at, subject) // runs after the limiter; otherwise, the recorded usage would already contain the request
			if err != nil {
				rt.Fatal(err)
			}
			code, wait := refusalOf(d)
			if code != wantCode || wait != wantWait {
				rt.Fatalf("%s at %v: rejected with %q for %d µs, want %q for %d µs", subject, now.Now(), code, wait, wantCode, wantWait)
			}
			if d.Budget.MinuteUsed != within(m.account, at, minute) || d.Budget.DayUsed != m.dayUsed(at) || d.Budget.Now != at {
				rt.Fatalf("%s: %+v, want %d and %d at %d", subject, *d.Budget, within(m.account, at, minute), m.dayUsed(at), at)
			}
			if code != "" && rapid.Bool().Draw(rt, "wait") {
				now.Advance(time.Duration(wait) * time.Microsecond)
				if again := ask(subject); again != "" {
					rt.Fatalf("%s waited for the returned time, but is rejected with %s", subject, again)
				}
			}
			return code
		}
		rt.Repeat(steps(now, func(subject string) { ask(subject) }))
	})
}

func drawTier(rt *rapid.T) limits.Tier {
	rate := func(name string, most int64, pers ...time.Duration) limits.Rate {
		return limits.Rate{Count: rapid.Int64Range(1, most).Draw(rt, name), Per: rapid.SampledFrom(pers).Draw(rt, name+" per")}
	}
	return limits.Tier{Burst: rate("burst", 7, time.Second, 3*time.Second, 10*time.Second), Sustained: rate("sustained", 20, time.Second, time.Minute, time.Hour)}
}

// steps returns the actions of the test: requests and clock changes.
func steps(now *clock.Fake, ask func(subject string)) map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"one": func(rt *rapid.T) { ask(rapid.SampledFrom([]string{"con_1", "con_2"}).Draw(rt, "who")) },
		"burst": func(rt *rapid.T) {
			for range rapid.IntRange(2, 15).Draw(rt, "n") {
				ask("con_1")
			}
		},
		"moment": func(rt *rapid.T) {
			now.Advance(time.Duration(rapid.Int64Range(1, 2*second).Draw(rt, "µs")) * time.Microsecond)
		},
		"while": func(rt *rapid.T) {
			now.Advance(time.Duration(rapid.Int64Range(1, 200).Draw(rt, "s")) * time.Second)
		},
		"edge": func(rt *rapid.T) { // the last microsecond of a minute, or the first of the next
			at := now.Now()
			next := at.Truncate(time.Minute).Add(time.Minute)
			now.Advance(next.Sub(at) - time.Duration(rapid.IntRange(0, 1).Draw(rt, "before"))*time.Microsecond)
		},
	}
}

func refusalOf(d limits.Decision) (code string, wait int64) {
	if d.Refusal == nil {
		return "", 0
	}
	e, _ := errs.As(d.Refusal)
	return e.Code, e.RetryAfter.Microseconds()
}
