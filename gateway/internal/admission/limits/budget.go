package limits

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"vitae.internal/pkg/errs"
)

// These are the error codes for requests above a limit (behaviour: errors#limit-and-account-codes).
const (
	CodeRate  = "RATE_LIMIT_EXCEEDED"
	CodeQuota = "QUOTA_EXCEEDED"
)

const (
	minute = int64(60)
	day    = int64(24 * 60 * 60)
)

// Budget is the usage of an account's plan after a request.
type Budget struct {
	// PerMinute and PerDay are the limits of the plan.
	PerMinute, PerDay int64
	// MinuteUsed and DayUsed are the numbers of requests in the current minute and UTC day.
	MinuteUsed, DayUsed int64
	// Now is the time on the counters' clock, in microseconds of Unix time.
	Now int64
	// Tier is the surface's rate limit, which applies in addition to the plan.
	Tier Tier
}

// SetHeaders sets the documented headers (behaviour: limits#budget-headers) and the headers of the IETF draft
// "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-09). In the draft, t is the number
// of seconds until the window ends.
func (b Budget) SetHeaders(h http.Header) {
	seconds := b.Now / int64(time.Second/time.Microsecond)
	minuteEnds, dayEnds := (seconds/minute+1)*minute, (seconds/day+1)*day
	perMinute, perDay := strconv.FormatInt(b.PerMinute, 10), strconv.FormatInt(b.PerDay, 10)
	minuteLeft := strconv.FormatInt(max(0, b.PerMinute-b.MinuteUsed), 10)
	dayLeft := strconv.FormatInt(max(0, b.PerDay-b.DayUsed), 10)
	values := make([]string, 0, 8)
	set := func(name, value string) { // names must be in canonical form
		values = append(values, value)
		h[name] = values[len(values)-1 : len(values) : len(values)]
	}
	set("X-Ratelimit-Limit", perMinute)
	set("X-Ratelimit-Remaining", minuteLeft)
	set("X-Ratelimit-Reset", strconv.FormatInt(minuteEnds, 10))
	set("X-Quota-Limit", perDay)
	set("X-Quota-Remaining", dayLeft)
	set("X-Quota-Reset", strconv.FormatInt(dayEnds, 10))
	policies := `"minute";q=` + perMinute + `;w=60, "day";q=` + perDay + `;w=86400`
	if !b.Tier.off() {
		policies += ", " + b.Tier.policy()
	}
	set("Ratelimit-Policy", policies)
	set("Ratelimit", `"minute";r=`+minuteLeft+`;t=`+strconv.FormatInt(minuteEnds-seconds, 10)+
		`, "day";r=`+dayLeft+`;t=`+strconv.FormatInt(dayEnds-seconds, 10))
}

// Left returns the number of requests left in the minute and in the day.
func (b Budget) Left() (ofMinute, ofDay int32) {
	return int32(max(0, b.PerMinute-b.MinuteUsed)), int32(max(0, b.PerDay-b.DayUsed))
}

// refusal returns the error for the limit that rejects the request, or nil if the request is
// allowed.
func (b Budget) refusal(o Outcome, wait time.Duration) error {
	switch o {
	case outcomeDay:
		return errs.New(errs.Exhausted, CodeQuota,
			"The developer account has spent its %d requests of this UTC day.", b.PerDay).WithRetryAfter(wait)
	case outcomeMinute:
		return errs.New(errs.Exhausted, CodeRate,
			"The developer account has spent its %d requests of this minute.", b.PerMinute).WithRetryAfter(wait)
	case outcomeTier:
		return b.Tier.refusal(wait, b.Now)
	default:
		return nil
	}
}

// String formats a rate for use in a message.
func (r Rate) String() string { return fmt.Sprintf("%d in %s", r.Count, shortDuration(r.Per)) }

func shortDuration(d time.Duration) string {
	switch d {
	case time.Second:
		return "a second"
	case time.Minute:
		return "a minute"
	case time.Hour:
		return "an hour"
	default:
		return fmt.Sprintf("%g seconds", d.Seconds())
	}
}
