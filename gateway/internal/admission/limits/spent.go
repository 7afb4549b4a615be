package limits

import (
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// by returns the ruling on a charged request by its authentic record. The script has already
// checked the tier, which does not depend on the record. If the authentic plan refuses the
// request, the charge is not refunded: that would take another call, and only a forged record
// causes it.
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
