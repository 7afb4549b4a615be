package limits

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"vitae.internal/pkg/errs"
)

// Rate is a number of requests per period.
type Rate struct {
	Count int64
	Per   time.Duration
}

// Tier is the limit of one surface (behaviour: limits#surface-tiers). The burst is a bucket that holds Count
// requests and refills within Per. The sustained rate applies to windows that are aligned to its period
// (behaviour: limits#windows-and-buckets). The zero Tier has no limit.
type Tier struct{ Burst, Sustained Rate }

// Tiers holds the limits of all surfaces.
type Tiers struct {
	// OAuth limits the form endpoints by client or IP address. The revocation endpoint has separate
	// counters.
	OAuth         Tier `env:"VITAE_TIER_OAUTH" envDefault:"20/10s 1200/1h" help:"OAuth form endpoints, by client or address: burst, then sustained rate, as in every tier."`
	FailedClient  Tier `env:"VITAE_TIER_FAILED_CLIENT" envDefault:"20/10s 600/1h" help:"Failed authentications of a client from one address."`
	FailedAddress Tier `env:"VITAE_TIER_FAILED_ADDRESS" envDefault:"60/10s 1800/1h" help:"Failed authentications and unknown credentials of one address."`
	Authorize     Tier `env:"VITAE_TIER_AUTHORIZE" envDefault:"300/1m 6000/1h" help:"Authorization requests of one address."`
	Page          Tier `env:"VITAE_TIER_PAGE" envDefault:"1200/1m 24000/1h" help:"Pages that need another service, by address."`
	APIKey        Tier `env:"VITAE_TIER_API_KEY" envDefault:"20/1s 3000/1m" help:"Requests with API keys, by app."`
	UserToken     Tier `env:"VITAE_TIER_USER_TOKEN" envDefault:"20/1s 3000/1m" help:"Requests with access tokens, by connection."`
	CVLink        Tier `env:"VITAE_TIER_CV_LINK" envDefault:"60/1s 2000/1m" help:"Durable CV links, by address."`
	// (behaviour: photos#photo-rate-limit)
	Photo Tier `env:"VITAE_TIER_PHOTO" envDefault:"200/1s 6000/1m" help:"Photos, by address."`
	// (behaviour: limits#tiers-checked-first)
	Resume Tier `env:"VITAE_TIER_RESUME" envDefault:"200/1s 6000/1m" help:"Resumes that the gateway serves from a folder, by address."`
}

// These are the maximum rates. The script's arithmetic is exact up to them.
const (
	maxCount = 1_000_000
	maxPer   = 24 * time.Hour
	maxBurst = time.Hour
)

// UnmarshalText parses a burst and a sustained rate, for example "20/10s 1200/1h".
func (t *Tier) UnmarshalText(text []byte) error {
	burst, sustained, two := strings.Cut(strings.TrimSpace(string(text)), " ")
	if !two {
		return fmt.Errorf(`%q is not a burst and a sustained rate such as "20/10s 1200/1h"`, text)
	}
	var err error
	if t.Burst, err = parseRate(burst, maxBurst); err != nil {
		return err
	}
	t.Sustained, err = parseRate(strings.TrimSpace(sustained), maxPer)
	return err
}

func parseRate(s string, longest time.Duration) (Rate, error) {
	count, per, _ := strings.Cut(s, "/")
	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil || n < 1 || n > maxCount {
		return Rate{}, fmt.Errorf("%q: the count must be 1 to %d", s, maxCount)
	}
	d, err := time.ParseDuration(per)
	if err != nil || d < time.Second || d > longest {
		return Rate{}, fmt.Errorf("%q: the time must be 1s to %v", s, longest)
	}
	return Rate{n, d.Truncate(time.Millisecond)}, nil
}

func (t Tier) off() bool { return t == Tier{} }

// refusal returns the error for a request at the time now that must wait. If the wait ends when the
// window does, the sustained rate has rejected the request.
func (t Tier) refusal(wait time.Duration, now int64) *TierRefusal {
	window := t.Sustained.Per.Microseconds()
	sustained := wait == time.Duration((now/window+1)*window-now)*time.Microsecond
	return &TierRefusal{
		Tier: t, Sustained: sustained,
		err: errs.New(errs.Exhausted, CodeRate, "Requests come too fast: at most %s and %s are taken here.", t.Burst, t.Sustained).
			WithRetryAfter(wait),
	}
}

// TierRefusal is the RATE_LIMIT_EXCEEDED error of a tier.
type TierRefusal struct {
	// Tier is the limit that rejected the request.
	Tier Tier
	// Sustained is true if the sustained rate rejected the request, and false if the burst did.
	Sustained bool
	err       *errs.Error
}

func (r *TierRefusal) Error() string { return r.err.Error() }

// Unwrap returns the error for the response.
func (r *TierRefusal) Unwrap() error { return r.err }

// SetHeaders adds the tier to the headers of the IETF draft (see Budget.SetHeaders).
func (r *TierRefusal) SetHeaders(h http.Header) {
	if policy := h.Get("RateLimit-Policy"); !strings.Contains(policy, burstPolicy) {
		h.Set("RateLimit-Policy", join(policy, r.Tier.policy()))
	}
	name := burstPolicy
	if r.Sustained {
		name = sustainedPolicy
	}
	seconds := int64((r.err.RetryAfter + time.Second - 1) / time.Second)
	h.Set("RateLimit", join(h.Get("RateLimit"), fmt.Sprintf("%s;r=0;t=%d", name, seconds)))
}

// These are the names of a tier's rates in headers.
const (
	burstPolicy     = `"burst"`
	sustainedPolicy = `"sustained"`
)

// policy formats both rates as in the IETF draft, with the window (w) in seconds.
func (t Tier) policy() string {
	return fmt.Sprintf("%s;q=%d;w=%d, %s;q=%d;w=%d", burstPolicy, t.Burst.Count, int64(t.Burst.Per.Seconds()),
		sustainedPolicy, t.Sustained.Count, int64(t.Sustained.Per.Seconds()))
}

func join(list, item string) string {
	if list == "" {
		return item
	}
	return list + ", " + item
}

// args returns the script's arguments for a tier. A burst of 0 means that there is no tier.
func (t Tier) args() []any {
	return []any{t.Burst.Count, t.Burst.Per.Microseconds(), t.Sustained.Count, t.Sustained.Per.Microseconds()}
}

// meter is a subject's usage of a tier.
type meter struct {
	// level is the fill level of the bucket. To avoid rounding, a request adds the burst's period in
	// microseconds, and each microsecond removes the burst's count.
	level int64
	// at is the time at which level was computed, in microseconds of Unix time.
	at int64
	// window is the number of the window since 1970. used is the number of requests in it.
	window, used int64
}

// charge calls chargeWithOthers without reserving room for other requests.
func (t Tier) charge(m meter, now int64) (next meter, wait int64) {
	return t.chargeWithOthers(m, now, 0)
}

// chargeWithOthers returns the meter after a request at the time now, and how many microseconds the request
// must wait. It reserves room for others, the number of requests that may be charged later. A wait of 0 means
// that the tier allows the request. The script implements the same rules.
func (t Tier) chargeWithOthers(m meter, now, others int64) (next meter, wait int64) {
	burst, per := t.Burst.Count, t.Burst.Per.Microseconds()
	passed := min(max(0, now-m.at), per) // the bucket is empty after per, and a larger number could overflow
	next = meter{level: max(0, m.level-passed*burst), at: now}
	if over := next.level + per + others*per - burst*per; over > 0 {
		wait = (over + burst - 1) / burst
	}
	window := t.Sustained.Per.Microseconds()
	if next.window = now / window; next.window == m.window {
		next.used = m.used
	}
	if next.used+others >= t.Sustained.Count {
		wait = max(wait, (next.window+1)*window-now)
	}
	next.level += per
	next.used++
	return next, wait
}
