package limits

import (
	"time"

	"vitae.internal/gateway/internal/admission/lru"
)

const (
	// accountCount and meterCount bound the memory of a replica to about 15 MiB.
	accountCount = 20_000
	meterCount   = 50_000
	// usageValidFor is how long a replica without Redis trusts the usage that auth has
	// told it. It is short because other replicas spend of the same day.
	usageValidFor = 15 * time.Second
	// reuseFor is how long an answer of auth also serves later requests that found the
	// same counter missing.
	reuseFor = time.Second
)

const (
	minuteMicros = 60_000_000
	dayMicros    = 24 * 60 * minuteMicros
)

// local is what one replica knows of the counters. While Redis answers, the replica
// only learns; while Redis does not answer, it decides from this memory.
type local struct {
	accounts *lru.Cache[string, account]
	meters   *lru.Cache[string, meter]
}

type account struct {
	spent
	// usageAt is when the figure of the day was last learned from Redis or auth, in
	// microseconds. If it was not, this is zero, which is long ago.
	usageAt int64
	// askedAt is when auth was last asked for the figure, in microseconds; zero likewise.
	askedAt int64
}

func newLocal() *local {
	return &local{accounts: lru.New[string, account](accountCount), meters: lru.New[string, meter](meterCount)}
}

// learn stores the counters of Redis.
func (l *local) learn(accountID string, r ruling) {
	l.accounts.Change(accountID, func(a account) account {
		return a.at(r.now).atLeast(spent{r.now / dayMicros, r.daySpent, r.now / minuteMicros, r.minuteSpent}).withUsageAt(r.now)
	})
}

// remembered is what this replica has last seen or admitted.
func (l *local) remembered(accountID string) spent {
	a, _ := l.accounts.Get(accountID)
	return a.spent
}

// asked returns what is spent, and whether auth was asked for it a moment ago.
func (l *local) asked(accountID string, now int64) (spent, bool) {
	a, _ := l.accounts.Get(accountID)
	a = a.at(now)
	return a.spent, max(now-a.askedAt, a.askedAt-now) <= reuseFor.Microseconds()
}

// known returns what is spent: the larger one of auth's usage and this replica's
// memory.
func (l *local) known(accountID string, now, recorded int64) spent {
	return l.accounts.Change(accountID, func(a account) account {
		a = a.at(now).atLeast(spent{day: now / dayMicros, daySpent: recorded})
		a.askedAt = now
		return a
	}).spent
}

// at returns the account at a time, without the figures of another day or minute.
func (a account) at(now int64) account {
	if d := now / dayMicros; a.day != d {
		a = account{spent: spent{day: d}}
	}
	if m := now / minuteMicros; a.minute != m {
		a.minute, a.minuteSpent = m, 0
	}
	return a
}

func (a account) atLeast(s spent) account {
	if a.day == s.day {
		a.daySpent = max(a.daySpent, s.daySpent)
	}
	if a.minute == s.minute {
		a.minuteSpent = max(a.minuteSpent, s.minuteSpent)
	}
	return a
}

func (a account) withUsageAt(now int64) account {
	a.usageAt = now
	return a
}

// rule decides as the script does, from the memory of this replica.
func (l *local) rule(ask Ask, known spent, now int64) (r ruling) {
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
			a.minuteSpent++
			a.daySpent++
		}
		r.minuteSpent, r.daySpent = a.minuteSpent, a.daySpent
		return a
	})
	return r
}

// check decides, and spends of the tier if the request may pass. The caller holds
// the lock of the account, and every key of a tier belongs to one account, so no
// other request can come between.
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
		next, wait = ask.Tier.spend(held, now)
		refuse(outcomeTier, wait)
	}
	if a.minuteSpent >= int64(ask.Held.GetPlan().GetPerMinute()) {
		refuse(outcomeMinute, (a.minute+1)*minuteMicros-now)
	}
	if a.daySpent >= int64(ask.Held.GetPlan().GetPerDay()) {
		refuse(outcomeDay, (a.day+1)*dayMicros-now)
		r.outcome = outcomeDay
	}
	if r.outcome == Admitted && !ask.Tier.off() {
		l.meters.Put(tierKey, next)
	}
	return r
}

// surface decides on a request without an account.
func (l *local) surface(t Tier, subject string, now int64, spend bool, others int64) (wait time.Duration) {
	l.meters.Change(surfaceKey(subject), func(m meter) meter {
		next, micros := t.spendBeside(m, now, others)
		if wait = time.Duration(micros) * time.Microsecond; wait > 0 || !spend {
			return m
		}
		return next
	})
	return wait
}
