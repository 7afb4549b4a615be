package console

import (
	"context"
	"html/template"
	"time"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/pkg/errs"
)

// Standing is what an account has spent of its present minute and UTC day, by the clock of
// the counters.
type Standing struct {
	MinuteSpent, DaySpent    int64
	Now, MinuteEnds, DayEnds time.Time
	// Partial means that the common counters did not answer, so these are the figures that
	// one server knows.
	Partial bool
}

// Rate is a number of requests in a time.
type Rate struct {
	Count int64
	Per   time.Duration
}

// String writes a rate as people say it, for example "3,000 a minute".
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

// Surface is a surface with a tier, as developers read of it.
type Surface struct {
	Name, CountedFor string
	Burst, Sustained Rate
	// Limits are its names in the request log; empty if nobody's log holds its refusals.
	Limits []string
}

// Limits tells what the limits of the gateway are, and how accounts stand.
type Limits interface {
	// Standing spends nothing. Errors: UNAVAILABLE if nobody knows.
	Standing(ctx context.Context, accountID string) (Standing, error)
	// Surfaces are all surfaces with a tier.
	Surfaces() []Surface
}

// window is what is known of a minute or a day.
type window struct {
	Spent, Limit, Left int64
	// Percent of the limit, at most 100, rounded down: 100 means that nothing is left.
	Percent int64
	// Ends is when the account may spend anew, In how long that is from now.
	Ends time.Time
	In   string
}

func windowOf(spent int64, limit int32, now, ends time.Time) window {
	w := window{Spent: spent, Limit: int64(limit), Left: max(0, int64(limit)-spent), Ends: ends, In: spell(ends.Sub(now))}
	w.Percent = 100
	if w.Limit > 0 {
		w.Percent = min(100, spent*100/w.Limit)
	}
	return w
}

// spell writes how long something takes, in its two largest units. The spaces do not break.
func spell(d time.Duration) string {
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

// nbsp is a space at which no line breaks.
const nbsp = "\u00a0"

// budget is how an account stands to its plan.
type budget struct {
	// Known is false if nobody could say what is spent.
	Known       bool
	Minute, Day window
	// Partial is that of Standing.
	Partial bool
}

// budgetOf asks how the account of a visit stands. A page never fails for it.
func (c *Console) budgetOf(ctx context.Context, v visit) *budget {
	plan := v.account.GetPlan()
	s, err := c.Limits.Standing(ctx, v.account.GetAccountId())
	if err != nil {
		if errs.KindOf(err) != errs.Unavailable {
			c.Log.ErrorContext(ctx, "the standing of an account cannot be told", "error", err)
		}
		return &budget{}
	}
	return &budget{
		Known: true, Partial: s.Partial,
		Minute: windowOf(s.MinuteSpent, plan.GetPerMinute(), s.Now, s.MinuteEnds),
		Day:    windowOf(s.DaySpent, plan.GetPerDay(), s.Now, s.DayEnds),
	}
}

// warnAt is the share of the day's quota, in percent, from which on every page warns.
const warnAt = 80

// warning is what every page says about the budget of the account.
type warning struct {
	// Refused says that requests are refused now.
	Refused bool
	Text    string
	// Until is when that ends.
	Until time.Time
}

// warning gives what every page says, nil for nothing.
func (b *budget) warning() *warning {
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

// clockTime writes a time of these days as a time element, to the second, in UTC.
func clockTime(t time.Time) template.HTML {
	t = t.UTC()
	text := t.Format("15:04:05")
	if text == "00:00:00" {
		text = "midnight"
	}
	return template.HTML(`<time datetime="` + t.Format(time.RFC3339) + `">` + text + " UTC</time>") //nolint:gosec // digits and a word
}
