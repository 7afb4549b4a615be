package shell

import (
	"context"
	"time"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Standing holds the numbers of requests that an account has used in the current minute and on the
// current UTC day. Its times come from the clock of the server that counts.
type Standing struct {
	MinuteSpent, DaySpent    int64
	Now, MinuteEnds, DayEnds time.Time
	// Partial reports whether the shared counters did not respond, so only the counts of one server
	// are known.
	Partial bool
}

// Rate is a maximum number of requests per period.
type Rate struct {
	Count int64
	Per   time.Duration
}

// String formats the rate, for example as "3,000 a minute".
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

// Surface is a set of endpoints that share rate limits.
type Surface struct {
	Name, CountedFor string
	Burst, Sustained Rate
	// Limits are the names of the surface's limits in the request log. It is empty if the rejected
	// requests are not logged.
	Limits []string
}

// Limits reads the gateway's rate limits.
type Limits interface {
	// Standing returns what an account has used, without counting a request. It returns an
	// UNAVAILABLE error if no counter responds.
	Standing(ctx context.Context, accountID string) (Standing, error)
	Surfaces() []Surface
}

// window is what an account has used of its limit for the current minute or day.
type window struct {
	Spent, Limit, Left int64
	// Percent is the percentage that is used, rounded down and at most 100. At 100, nothing is
	// left.
	Percent int64
	Ends    time.Time
	// In is the time until Ends, in words.
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

// spell formats a duration in its two largest units, joined with non-breaking spaces.
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

// Budget holds the remaining requests of an account's plan.
type Budget struct {
	// Known reports whether a counter responded.
	Known       bool
	Minute, Day window
	// Partial is copied from Standing.
	Partial bool
}

// Budget reads the account's budget. It does not return an error, because pages must work even
// without it.
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

// warnPercent is the percentage of the daily quota at which pages start to show a warning.
const warnPercent = 80

// warning is a notice at the top of every page of the account.
type warning struct {
	// Refused reports whether requests are being rejected.
	Refused bool
	Text    string
	Until   time.Time
}

// warning returns the warning to show, or nil if there is none.
func (b *Budget) warning() *warning {
	switch day, minute := b.Day, b.Minute; {
	case !b.Known:
		return nil
	case day.Left == 0:
		return &warning{true, "All " + plot.Grouped(day.Limit) + " of today’s requests are used. Requests are refused with QUOTA_EXCEEDED until", day.Ends}
	case minute.Left == 0:
		return &warning{true, "All " + plot.Grouped(minute.Limit) + " of this minute’s requests are used. Requests are refused with RATE_LIMIT_EXCEEDED until", minute.Ends}
	case day.Percent >= warnPercent:
		return &warning{
			Text: plot.Grouped(day.Percent) + " % of today’s quota is used: " + plot.Grouped(day.Left) + " of " + plot.Grouped(day.Limit) + " requests are left until", Until: day.Ends,
		}
	default:
		return nil
	}
}

// PlanTitles lists the plans with their titles, in the order in which pages show them.
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
