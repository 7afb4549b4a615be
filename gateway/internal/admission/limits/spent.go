package limits

import (
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// by is the ruling on a request that was spent already, by its true record. The tier does
// not depend on the record, so it was judged by the script. A request that the true plan
// refuses stays spent, of the account that sent it: giving it back would be another call,
// for something that only forgery brings about.
func (s *Spent) by(record *authv1.SessionRecord) ruling {
	r := s.ruling
	r.disbelieved, r.record = false, record
	switch plan := record.GetPlan(); {
	case record.GetAccountSuspended():
		r.outcome = Suspended
	case r.daySpent > int64(plan.GetPerDay()):
		r.outcome, r.wait = outcomeDay, untilNext(dayMicros, r.now)
	case r.minuteSpent > int64(plan.GetPerMinute()):
		r.outcome, r.wait = outcomeMinute, untilNext(minuteMicros, r.now)
	}
	return r
}

// untilNext is the time until the next period begins.
func untilNext(period, now int64) time.Duration {
	return time.Duration((now/period+1)*period-now) * time.Microsecond
}
