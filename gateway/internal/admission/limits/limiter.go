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
		Help: "Requests refused with 429, by limit.",
	}, []string{"dimension"})
)

func init() { // export the series of every label before the first event
	for _, what := range []string{"account", "surface", "window"} {
		decidedLocally.WithLabelValues(what)
	}
	for _, dimension := range []string{string(outcomeMinute), string(outcomeDay), string(outcomeTier), "surface", "window"} {
		refused.WithLabelValues(dimension)
	}
}

// Config holds the dependencies of a Limiter. All of them are required.
type Config struct {
	// Redis stores the counters and the session records.
	Redis redisx.Processor
	// Records verifies session records.
	Records *records.Opener
	// Guard is the circuit breaker that all users of Redis share.
	Guard *outage.Guard
	// Usage provides the usage of a day whose counter has been lost.
	Usage authv1.UsageServiceClient
	// Clock replaces Redis's clock while Redis does not respond.
	Clock clock.Clock
}

// Limiter checks limits and charges requests to them.
type Limiter struct {
	Config
	scripts scripts
	local   *local
	lookup  *usageLookup
}

// New returns a Limiter. It returns an error if a dependency is missing.
func New(c Config) (*Limiter, error) {
	if c.Redis == nil || c.Records == nil || c.Guard == nil || c.Usage == nil || c.Clock == nil {
		return nil, errors.New("limits: a dependency is missing")
	}
	memory := newLocal()
	return &Limiter{Config: c, scripts: onRedisTime, local: memory, lookup: newUsageLookup(c.Usage, memory)}, nil
}

// Outcome is the result of a decision, as the script returns it.
type Outcome string

const (
	// Missing means that there is no valid session record, so nothing was decided.
	Missing Outcome = "missing"
	// Suspended means that the account is suspended, so nothing was charged.
	Suspended Outcome = "suspended"
	// Admitted means that the request is within the limits and was charged.
	Admitted Outcome = "admitted"

	outcomeUnseeded Outcome = "unseeded"
	outcomeDay      Outcome = "day"
	outcomeMinute   Outcome = "minute"
	outcomeTier     Outcome = "tier"
)

// Ask describes a request on behalf of an account.
type Ask struct {
	// Ref identifies the session record of the request's credential.
	Ref sessionrecord.Ref
	// Tier is the surface's rate limit. Subject is what the tier counts by: the app for an API key, or the
	// connection for a token.
	Tier    Tier
	Subject string
	// Held is the session record if the auth service has just returned it. If it is nil, the record
	// is read from Redis.
	Held *authv1.SessionRecord
	// WithoutRedis means that Redis has not responded for this request. It may have charged the request, so it
	// is not called again.
	WithoutRedis bool
	// Charged comes from an earlier decision on the same request, or is nil.
	Charged *Charged
}

// Charged is a request that was charged according to an invalid session record. It is not charged again once
// the authentic record is known.
type Charged struct{ ruling ruling }

// Decision is the result of checking a request on behalf of an account.
type Decision struct {
	Outcome Outcome
	// Record is the session record, or nil if the outcome is Missing.
	Record *authv1.SessionRecord
	// Budget is the account's budget after the request, or nil if the outcome is Missing.
	Budget *Budget
	// Refusal is the error for the limit that rejects the request, or nil if the request is
	// allowed.
	Refusal error
	// WithoutRedis means that Redis did not respond. If the caller calls Admit again for the same request, it
	// must copy this field to Ask.
	WithoutRedis bool
	// Charged is set if the request was charged although the outcome is Missing. If the caller calls Admit
	// again for the same request, it must copy this field to Ask.
	Charged *Charged
}

// maxAttempts limits how often the script runs for one request. The second run has the day's usage from the
// auth service. A third run is needed if a new day has begun since then.
const maxAttempts = 3

// Admit checks the limits of a request and charges it if they allow it. It returns UNAVAILABLE if the day's
// counter is lost and the auth service does not respond.
func (l *Limiter) Admit(ctx context.Context, ask Ask) (Decision, error) {
	if ask.Charged != nil {
		return l.decision(ask, ask.Charged.by(ask.Held)), nil
	}
	var known used
	for range maxAttempts {
		r := l.rule(ctx, ask, known)
		if r.outcome != outcomeUnseeded {
			return l.decision(ask, r), nil
		}
		ask.WithoutRedis = r.withoutRedis
		var err error
		if known, err = l.lookup.used(ctx, ask.Ref.AccountID, r.now); err != nil {
			return Decision{}, err
		}
	}
	return Decision{}, errUsageUnknown
}

func (l *Limiter) rule(ctx context.Context, ask Ask, known used) (r ruling) {
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
	if r.untrusted {
		d := Decision{Outcome: Missing}
		if r.outcome == Admitted {
			d.Charged = &Charged{r}
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
		MinuteUsed: r.minuteUsed, DayUsed: r.dayUsed, Now: r.now, Tier: ask.Tier,
	}
	if d.Refusal = d.Budget.refusal(r.outcome, r.wait); d.Refusal != nil {
		refused.WithLabelValues(string(r.outcome)).Inc()
	}
	return d
}

// Surface checks the tier of a subject that is not an account, for example a client or an IP address. It
// charges the request if the tier allows it. It returns a *TierRefusal or nil.
func (l *Limiter) Surface(ctx context.Context, t Tier, subject string) error {
	return l.surface(ctx, t, subject, true, 0)
}

// CheckSurface is like Surface, but charges nothing. It reserves room for other requests of the subject, which
// may be charged later.
func (l *Limiter) CheckSurface(ctx context.Context, t Tier, subject string, others int) error {
	return l.surface(ctx, t, subject, false, int64(others))
}

func (l *Limiter) surface(ctx context.Context, t Tier, subject string, charge bool, others int64) error {
	if t.off() {
		return nil
	}
	return l.surfaceBy(ctx, t, subject, charge, others, func() (time.Duration, int64, error) {
		return l.askSurface(ctx, t, subject, charge, others)
	})
}

// surfaceBy makes its decision from the wait and the time that ask reads from Redis. While Redis does not
// respond, this replica decides on its own.
func (l *Limiter) surfaceBy(ctx context.Context, t Tier, subject string, charge bool, others int64, ask func() (time.Duration, int64, error)) error {
	var wait time.Duration
	var now int64
	answered := l.Guard.Ask(ctx, func() (err error) {
		wait, now, err = ask()
		return err
	})
	if !answered {
		decidedLocally.WithLabelValues("surface").Inc()
		now = l.Clock.Now().UnixMicro()
		wait = l.local.surface(t, subject, now, charge, others)
	}
	if wait == 0 {
		return nil
	}
	refused.WithLabelValues("surface").Inc()
	return t.refusal(wait, now)
}

// by decides whether to admit a request that was already charged, now according to its authentic record. The
// script has already checked the tier, which does not depend on the record. If the authentic plan rejects the
// request, the charge is not refunded. A refund would take another call, and this happens only if someone has
// forged a record.
func (s *Charged) by(record *authv1.SessionRecord) ruling {
	r := s.ruling
	r.untrusted, r.record = false, record
	switch plan := record.GetPlan(); {
	case record.GetAccountSuspended():
		r.outcome = Suspended
	case r.dayUsed > int64(plan.GetPerDay()):
		r.outcome, r.wait = outcomeDay, untilNext(dayMicros, r.now)
	case r.minuteUsed > int64(plan.GetPerMinute()):
		r.outcome, r.wait = outcomeMinute, untilNext(minuteMicros, r.now)
	}
	return r
}

// untilNext returns the time until the next period begins.
func untilNext(period, now int64) time.Duration {
	return time.Duration((now/period+1)*period-now) * time.Microsecond
}
