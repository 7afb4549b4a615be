package limits

import (
	"time"

	"vitae.internal/gateway/internal/admission/lru"
)

const (
	// accountCount and meterCount limit a replica's memory to about 15 MiB.
	accountCount = 20_000
	meterCount   = 50_000
	// usageValidFor is how long a replica without Redis relies on a usage figure from the auth service. It is
	// short because other replicas also charge requests to the same day.
	usageValidFor = 15 * time.Second
	// reuseFor is how long a response from the auth service is reused for later requests that found the
	// same counter missing.
	reuseFor = time.Second
)

const (
	minuteMicros = 60_000_000
	dayMicros    = 24 * 60 * minuteMicros
)

// local holds what a replica knows about the counters. The replica updates it while Redis responds, and bases
// its decisions on it while Redis does not respond.
type local struct {
	accounts *lru.Cache[string, account]
	meters   *lru.Cache[string, meter]
}

type account struct {
	used
	// usageAt is the time, in microseconds, at which the day's usage was last read from Redis or from the
	// auth service. It is zero if it was never read.
	usageAt int64
	// askedAt is the time, in microseconds, of the last call to the auth service for the usage, or
	// zero if there was none.
	askedAt int64
}

func newLocal() *local {
	return &local{accounts: lru.New[string, account](accountCount), meters: lru.New[string, meter](meterCount)}
}

// learn stores the counters read from Redis.
func (l *local) learn(accountID string, r ruling) {
	l.accounts.Change(accountID, func(a account) account {
		return a.at(r.now).atLeast(used{r.now / dayMicros, r.dayUsed, r.now / minuteMicros, r.minuteUsed}).withUsageAt(r.now)
	})
}

// remembered returns the usage that this replica has last seen or admitted.
func (l *local) remembered(accountID string) used {
	a, _ := l.accounts.Get(accountID)
	return a.used
}

// asked returns the usage and reports whether the auth service was called for it within reuseFor.
func (l *local) asked(accountID string, now int64) (used, bool) {
	a, _ := l.accounts.Get(accountID)
	a = a.at(now)
	return a.used, max(now-a.askedAt, a.askedAt-now) <= reuseFor.Microseconds()
}

// known returns the usage that the auth service has recorded, or the usage that this replica
// remembers if that is higher.
func (l *local) known(accountID string, now, recorded int64) used {
	return l.accounts.Change(accountID, func(a account) account {
		a = a.at(now).atLeast(used{day: now / dayMicros, dayUsed: recorded})
		a.askedAt = now
		return a
	}).used
}

// at returns the account's state at the given time, without the usage of other days and minutes.
func (a account) at(now int64) account {
	if d := now / dayMicros; a.day != d {
		a = account{used: used{day: d}}
	}
	if m := now / minuteMicros; a.minute != m {
		a.minute, a.minuteUsed = m, 0
	}
	return a
}

func (a account) atLeast(s used) account {
	if a.day == s.day {
		a.dayUsed = max(a.dayUsed, s.dayUsed)
	}
	if a.minute == s.minute {
		a.minuteUsed = max(a.minuteUsed, s.minuteUsed)
	}
	return a
}

func (a account) withUsageAt(now int64) account {
	a.usageAt = now
	return a
}

// rule applies the script's rules to the counters in this replica's memory.
func (l *local) rule(ask Ask, known used, now int64) (r ruling) {
	tierKey := ask.Ref.AccountID + " " + ask.Subject
	l.accounts.Change(ask.Ref.AccountID, func(a account) account {
		a = a.at(now).atLeast(known)
		if known.day == a.day {
			a = a.withUsageAt(now)
		}
		if now-a.usageAt > usageValidFor.Microseconds() {
			r = ruling{outcome: outcomeUnseeded, now: now}
			return a
		}
		r = l.check(ask, a, tierKey, now)
		if r.outcome == Admitted {
			a.minuteUsed++
			a.dayUsed++
		}
		r.minuteUsed, r.dayUsed = a.minuteUsed, a.dayUsed
		return a
	})
	return r
}

// check decides whether to admit a request, and charges the tier if it does. The caller holds the account's
// lock. Every tier key belongs to exactly one account, so other requests cannot interfere.
func (l *local) check(ask Ask, a account, tierKey string, now int64) ruling {
	r := ruling{outcome: Admitted, now: now}
	if ask.Held.GetAccountSuspended() {
		r.outcome = Suspended
		return r
	}
	refuse := func(why Outcome, wait int64) {
		if d := time.Duration(wait) * time.Microsecond; d > r.wait {
			r.outcome, r.wait = why, d
		}
	}
	var next meter
	if !ask.Tier.off() {
		var wait int64
		held, _ := l.meters.Get(tierKey)
		next, wait = ask.Tier.charge(held, now)
		refuse(outcomeTier, wait)
	}
	if a.minuteUsed >= int64(ask.Held.GetPlan().GetPerMinute()) {
		refuse(outcomeMinute, (a.minute+1)*minuteMicros-now)
	}
	if a.dayUsed >= int64(ask.Held.GetPlan().GetPerDay()) {
		refuse(outcomeDay, (a.day+1)*dayMicros-now)
		r.outcome = outcomeDay
	}
	if r.outcome == Admitted && !ask.Tier.off() {
		l.meters.Put(tierKey, next)
	}
	return r
}

// surface decides whether to admit a request that has no account.
func (l *local) surface(t Tier, subject string, now int64, charge bool, others int64) (wait time.Duration) {
	l.meters.Change(surfaceKey(subject), func(m meter) meter {
		next, micros := t.chargeWithOthers(m, now, others)
		if wait = time.Duration(micros) * time.Microsecond; wait > 0 || !charge {
			return m
		}
		return next
	})
	return wait
}
