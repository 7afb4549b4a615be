package shell

import (
	"context"
	"time"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Standing is what an account has used of its current minute and UTC day, by the clock of the
// counters.
type Standing struct {
	MinuteSpent, DaySpent    int64
	Now, MinuteEnds, DayEnds time.Time
	// Partial means that the shared counters did not answer, so one server's counts are used.
	Partial bool
}

// Rate is a number of requests per time.
type Rate struct {
	Count int64
	Per   time.Duration
}

// String returns, for example, "3,000 a minute".
func (r Rate) String() string {
	count := plot.Grouped(r.Count)
	switch r.Per {
	case time.Second:
		return count + " a second"
	case time.Minute:
		return count + " a minute"
	case time.Hour:
		return count + " an hour"
	case 24 * time.Hour:
		return count + " a day"
	default:
		return count + " in " + spell(r.Per)
	}
}

// Surface is a set of endpoints with its rate limits.
type Surface struct {
	Name, CountedFor string
	Burst, Sustained Rate
	// Limits are its names in the request log, empty if its refusals are not logged.
	Limits []string
}

// Limits reads the limits of the gateway.
type Limits interface {
	// Standing charges nothing. Errors: UNAVAILABLE if no counter answers.
	Standing(ctx context.Context, accountID string) (Standing, error)
	Surfaces() []Surface
}

// window is the state of a minute or a day.
type window struct {
	Spent, Limit, Left int64
	// Percent of the limit is rounded down and at most 100, which means that nothing is left.
	Percent int64
	Ends    time.Time
	// In is the time until Ends in words.
	In string
}

func windowOf(spent int64, limit int32, now, ends time.Time) window {
	w := window{Spent: spent, Limit: int64(limit), Left: max(0, int64(limit)-spent), Ends: ends, In: spell(ends.Sub(now))}
	w.Percent = 100
	if w.Limit > 0 {
		w.Percent = min(100, spent*100/w.Limit)
	}
	return w
}

// spell writes a duration in its two largest units, with spaces that do not break.
func spell(d time.Duration) string {
	const nbsp = "\u00a0"
	d = d.Round(time.Second)
	hours, minutes, seconds := int64(d/time.Hour), int64(d/time.Minute)%60, int64(d/time.Second)%60
	for _, two := range []struct {
		large, small         int64
		largeUnit, smallUnit string
	}{{hours, minutes, "h", "min"}, {minutes, seconds, "min", "s"}} {
		switch {
		case two.large > 0 && two.small > 0:
			return plot.Grouped(two.large) + nbsp + two.largeUnit + nbsp + plot.Grouped(two.small) + nbsp + two.smallUnit
		case two.large > 0:
			return plot.Grouped(two.large) + nbsp + two.largeUnit
		}
	}
	return plot.Grouped(seconds) + nbsp + "s"
}

// Budget is what an account has left of its plan.
type Budget struct {
	// Known is false if no counter answered.
	Known       bool
	Minute, Day window
	// Partial is Standing.Partial.
	Partial bool
}

// Budget reads the budget of the account. Pages must not fail without it, so it returns no error.
func (s *Shell) Budget(ctx context.Context, v Visit) *Budget {
	plan := v.Member.GetPlan()
	standing, err := s.Limits.Standing(ctx, v.AccountID())
	if err != nil {
		if errs.KindOf(err) != errs.Unavailable {
			s.Log.ErrorContext(ctx, "the budget of an account cannot be read", "error", err)
		}
		return &Budget{}
	}
	return &Budget{
		Known: true, Partial: standing.Partial,
		Minute: windowOf(standing.MinuteSpent, plan.GetPerMinute(), standing.Now, standing.MinuteEnds),
		Day:    windowOf(standing.DaySpent, plan.GetPerDay(), standing.Now, standing.DayEnds),
	}
}

// warnAt is the used percentage of the day's quota from which on pages warn.
const warnAt = 80

// warning is shown on every page of the account.
type warning struct {
	// Refused means that requests are refused now.
	Refused bool
	Text    string
	Until   time.Time
}

// warning returns nil if there is nothing to warn of.
func (b *Budget) warning() *warning {
	switch day, minute := b.Day, b.Minute; {
	case !b.Known:
		return nil
	case day.Left == 0:
		return &warning{true, "All " + plot.Grouped(day.Limit) + " of today’s requests are used. Requests are refused with QUOTA_EXCEEDED until", day.Ends}
	case minute.Left == 0:
		return &warning{true, "All " + plot.Grouped(minute.Limit) + " of this minute’s requests are used. Requests are refused with RATE_LIMIT_EXCEEDED until", minute.Ends}
	case day.Percent >= warnAt:
		return &warning{
			Text: plot.Grouped(day.Percent) + " % of today’s quota is used: " + plot.Grouped(day.Left) + " of " + plot.Grouped(day.Limit) + " requests are left until", Until: day.Ends,
		}
	default:
		return nil
	}
}

// PlanTitles are the titles of the plans, in order.
var PlanTitles = []struct {
	Plan         authv1.PlanName
	Value, Title string
}{
	{authv1.PlanName_PLAN_NAME_STANDARD, "standard", "Standard"},
	{authv1.PlanName_PLAN_NAME_ELEVATED, "elevated", "Elevated"},
	{authv1.PlanName_PLAN_NAME_CUSTOM, "custom", "Custom"},
}

// PlanTitle returns the title of a plan.
func PlanTitle(p *authv1.Plan) string {
	for _, one := range PlanTitles {
		if one.Plan == p.GetName() {
			return one.Title
		}
	}
	return ""
}
