package limits

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/gateway/internal/admission/outage"
	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

var (
	decidedLocally = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_limits_local_total",
		Help: "Requests decided by this replica alone because Redis did not answer, by what was limited.",
	}, []string{"what"})
	refused = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_limits_refused_total",
		Help: "Requests refused with 429, by the dimension that refused.",
	}, []string{"dimension"})
)

func init() { // there before the first
	for _, what := range []string{"account", "surface", "window"} {
		decidedLocally.WithLabelValues(what)
	}
	for _, dimension := range []string{string(outcomeMinute), string(outcomeDay), string(outcomeTier), "surface", "window"} {
		refused.WithLabelValues(dimension)
	}
}

// Config is what a Limiter needs; all of it is required.
type Config struct {
	// Redis has the counters and the session records.
	Redis redisx.Processor
	// Records tells which session records are believed.
	Records *records.Opener
	// Guard decides whether Redis is asked. Everyone who asks Redis shares it.
	Guard *outage.Guard
	// Usage tells what was spent of a day whose counter is lost.
	Usage authv1.UsageServiceClient
	// Clock is the clock of the counters while Redis does not answer.
	Clock clock.Clock
}

// Limiter decides on requests and spends them.
type Limiter struct {
	Config
	scripts scripts
	local   *local
	lookup  *usageLookup
}

// New makes a Limiter.
func New(c Config) (*Limiter, error) {
	if c.Redis == nil || c.Records == nil || c.Guard == nil || c.Usage == nil || c.Clock == nil {
		return nil, errors.New("limits: a dependency is missing")
	}
	memory := newLocal()
	return &Limiter{Config: c, scripts: onRedisTime, local: memory, lookup: newUsageLookup(c.Usage, memory)}, nil
}

// Outcome is the result of a decision.
type Outcome string

// Outcomes, in the words of the script.
const (
	// Missing means that there is no session record, or none that is believed, so nothing
	// was decided.
	Missing Outcome = "missing"
	// Suspended means that the account is suspended, so nothing was spent.
	Suspended Outcome = "suspended"
	// Admitted means that the request may pass and was spent.
	Admitted Outcome = "admitted"

	outcomeUnseeded Outcome = "unseeded"
	outcomeDay      Outcome = "day"
	outcomeMinute   Outcome = "minute"
	outcomeTier     Outcome = "tier"
)

// Ask describes a request of an account.
type Ask struct {
	// Ref names the session record of its credential.
	Ref sessionrecord.Ref
	// Tier is the limit of the surface. Subject is the one that it counts for: the app
	// of a key, the connection of a token.
	Tier    Tier
	Subject string
	// Held is the session record if auth has just returned it; nil to read it from
	// Redis.
	Held *authv1.SessionRecord
	// WithoutRedis means that Redis has failed to answer for this request before. It
	// may have spent the request all the same, so it is not asked again.
	WithoutRedis bool
	// Spent is that of an earlier decision on the same request.
	Spent *Spent
}

// Spent is a request that was spent by a session record that is not believed. A request is
// spent once, so it is not spent again when its true record is known.
type Spent struct{ ruling ruling }

// Decision is the result for a request of an account.
type Decision struct {
	Outcome Outcome
	// Record is the session record; nil if Missing.
	Record *authv1.SessionRecord
	// Budget is what the account has left; nil if Missing.
	Budget *Budget
	// Refusal is the error for the limit that refuses; nil if none does.
	Refusal error
	// WithoutRedis means that Redis did not answer. A caller that asks again for the
	// same request must set it in Ask.
	WithoutRedis bool
	// Spent is set if the request was spent although the outcome is Missing. A caller that
	// asks again for the same request must set it in Ask.
	Spent *Spent
}

// maxAttempts bounds how often the script runs for one request: once, once more with
// the usage of the day, and once more if a new day has begun meanwhile.
const maxAttempts = 3

// Admit decides on a request, and spends it if it may pass. Errors: UNAVAILABLE if
// the counter of the day is lost and auth does not answer.
func (l *Limiter) Admit(ctx context.Context, ask Ask) (Decision, error) {
	if ask.Spent != nil {
		return l.decision(ask, ask.Spent.by(ask.Held)), nil
	}
	var known spent
	for range maxAttempts {
		r := l.rule(ctx, ask, known)
		if r.outcome != outcomeUnseeded {
			return l.decision(ask, r), nil
		}
		ask.WithoutRedis = r.withoutRedis
		var err error
		if known, err = l.lookup.spent(ctx, ask.Ref.AccountID, r.now); err != nil {
			return Decision{}, err
		}
	}
	return Decision{}, errUsageUnknown
}

func (l *Limiter) rule(ctx context.Context, ask Ask, known spent) (r ruling) {
	answered := !ask.WithoutRedis && l.Guard.Ask(ctx, func() (err error) {
		r, err = l.ask(ctx, ask, known)
		return err
	})
	if answered {
		if r.counted() {
			l.local.learn(ask.Ref.AccountID, r)
		}
		return r
	}
	r = ruling{outcome: Missing}
	if ask.Held != nil {
		r = l.local.rule(ask, known, l.Clock.Now().UnixMicro())
	}
	r.withoutRedis = true
	return r
}

func (l *Limiter) decision(ask Ask, r ruling) Decision {
	if r.disbelieved {
		d := Decision{Outcome: Missing}
		if r.outcome == Admitted {
			d.Spent = &Spent{r}
		}
		return d
	}
	d := Decision{Outcome: r.outcome, Record: ask.Held, WithoutRedis: r.withoutRedis}
	if d.Record == nil {
		d.Record = r.record
	}
	if r.outcome == Missing {
		return d
	}
	if r.withoutRedis {
		decidedLocally.WithLabelValues("account").Inc()
	}
	d.Budget = &Budget{
		PerMinute: int64(d.Record.GetPlan().GetPerMinute()), PerDay: int64(d.Record.GetPlan().GetPerDay()),
		MinuteSpent: r.minuteSpent, DaySpent: r.daySpent, Now: r.now, Tier: ask.Tier,
	}
	if d.Refusal = d.Budget.refusal(r.outcome, r.wait); d.Refusal != nil {
		refused.WithLabelValues(string(r.outcome)).Inc()
	}
	return d
}

// Surface decides on a request without an account, by the subject of a tier, for
// example a client or an address, and spends it if it may pass. It returns a
// *TierRefusal or nil.
func (l *Limiter) Surface(ctx context.Context, t Tier, subject string) error {
	return l.surface(ctx, t, subject, true, 0)
}

// Left is Surface for a request that spends nothing, beside others of the same subject
// that may be spent yet.
func (l *Limiter) Left(ctx context.Context, t Tier, subject string, others int) error {
	return l.surface(ctx, t, subject, false, int64(others))
}

func (l *Limiter) surface(ctx context.Context, t Tier, subject string, spend bool, others int64) error {
	if t.off() {
		return nil
	}
	return l.surfaceBy(ctx, t, subject, spend, others, func() (time.Duration, int64, error) {
		return l.askSurface(ctx, t, subject, spend, others)
	})
}

// surfaceBy decides by what ask learns from Redis: the wait and the time. While Redis does
// not answer, this replica decides.
func (l *Limiter) surfaceBy(ctx context.Context, t Tier, subject string, spend bool, others int64, ask func() (time.Duration, int64, error)) error {
	var wait time.Duration
	var now int64
	answered := l.Guard.Ask(ctx, func() (err error) {
		wait, now, err = ask()
		return err
	})
	if !answered {
		decidedLocally.WithLabelValues("surface").Inc()
		now = l.Clock.Now().UnixMicro()
		wait = l.local.surface(t, subject, now, spend, others)
	}
	if wait == 0 {
		return nil
	}
	refused.WithLabelValues("surface").Inc()
	return t.refusal(wait, now)
}
