package limits

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/gateway/internal/admission/outage"
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

// Config is what a Limiter needs; all of it is required.
type Config struct {
	// Redis holds the counters and session records.
	Redis redisx.Processor
	// Guard stands before Redis; whoever else asks Redis shares it.
	Guard *outage.Guard
	// Usage knows what was spent of a day whose counter is lost.
	Usage authv1.UsageServiceClient
	// Clock counts while Redis does not answer.
	Clock clock.Clock
}

// Limiter holds the limits.
type Limiter struct {
	Config
	scripts scripts
	local   *local
	books   *books
}

// New makes a Limiter.
func New(c Config) (*Limiter, error) {
	if c.Redis == nil || c.Guard == nil || c.Usage == nil || c.Clock == nil {
		return nil, errors.New("limits: a dependency is missing")
	}
	memory := newLocal()
	return &Limiter{Config: c, scripts: onRedisTime, local: memory, books: newBooks(c.Usage, memory)}, nil
}

// Outcome is what a decision came to.
type Outcome string

// Outcomes, as the script calls them.
const (
	// Missing means that there is no record to decide on, and nothing was decided.
	Missing Outcome = "missing"
	// Suspended means that the account is, so nothing was spent.
	Suspended Outcome = "suspended"
	// Admitted means that the request may go and was spent.
	Admitted Outcome = "admitted"

	outcomeUnseeded Outcome = "unseeded"
	outcomeDay      Outcome = "day"
	outcomeMinute   Outcome = "minute"
	outcomeTier     Outcome = "tier"
)

// Ask is a request of an account.
type Ask struct {
	// Ref names its credential.
	Ref sessionrecord.Ref
	// Tier, and whose: the app of a key, the connection of a token.
	Tier    Tier
	Subject string
	// Held is the record when auth has just given it; nil to read it from Redis.
	Held *authv1.SessionRecord
	// Alone says that Redis did not answer for this request before: it may have spent
	// it all the same, so it is not asked again.
	Alone bool
}

// Decision is what was decided on a request of an account.
type Decision struct {
	Outcome Outcome
	// Record of the credential; nil when Missing.
	Record *authv1.SessionRecord
	// Budget of the account; nil when Missing.
	Budget *Budget
	// Refusal is the error for a limit that refuses; nil otherwise.
	Refusal error
	// Alone says that Redis did not answer; who asks again for the same request says
	// so in Ask.
	Alone bool
}

// rulings bounds how often one request is put to the script: once, once more with
// what is spent of the day, and once more if the day changed meanwhile.
const rulings = 3

// Admit decides on a request. Errors: UNAVAILABLE when the day's counter is lost
// and auth cannot say what was spent.
func (l *Limiter) Admit(ctx context.Context, ask Ask) (Decision, error) {
	var known spent
	for range rulings {
		r := l.rule(ctx, ask, known)
		if r.outcome != outcomeUnseeded {
			return l.decision(ask, r), nil
		}
		ask.Alone = r.alone
		var err error
		if known, err = l.books.spent(ctx, ask.Ref.AccountID, r.now); err != nil {
			return Decision{}, err
		}
	}
	return Decision{}, errNoBooks
}

func (l *Limiter) rule(ctx context.Context, ask Ask, known spent) (r ruling) {
	answered := !ask.Alone && l.Guard.Ask(ctx, func() (err error) {
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
	r.alone = true
	return r
}

func (l *Limiter) decision(ask Ask, r ruling) Decision {
	d := Decision{Outcome: r.outcome, Record: ask.Held, Alone: r.alone}
	if d.Record == nil {
		d.Record = r.record
	}
	if r.outcome == Missing {
		return d
	}
	if r.alone {
		decidedLocally.WithLabelValues("account").Inc()
	}
	d.Budget = &Budget{
		PerMinute: int64(d.Record.GetPlan().GetPerMinute()), PerDay: int64(d.Record.GetPlan().GetPerDay()),
		MinuteSpent: r.minuteSpent, DaySpent: r.daySpent, Now: r.now,
	}
	if d.Refusal = d.Budget.refusal(r.outcome, r.wait, ask.Tier); d.Refusal != nil {
		refused.WithLabelValues(string(r.outcome)).Inc()
	}
	return d
}

// Surface decides on a request of no account: of a tier's subject, for example a
// client id or an address. It gives RATE_LIMIT_EXCEEDED or nil.
func (l *Limiter) Surface(ctx context.Context, t Tier, subject string) error {
	if t.off() {
		return nil
	}
	var wait time.Duration
	answered := l.Guard.Ask(ctx, func() (err error) {
		wait, err = l.askSurface(ctx, t, subject)
		return err
	})
	if !answered {
		decidedLocally.WithLabelValues("surface").Inc()
		wait = l.local.surface(t, subject, l.Clock.Now().UnixMicro())
	}
	if wait == 0 {
		return nil
	}
	refused.WithLabelValues("surface").Inc()
	return t.refusal(wait)
}
