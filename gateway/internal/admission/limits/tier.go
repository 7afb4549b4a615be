package limits

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is a number of requests in a period.
type Rate struct {
	Count int64
	Per   time.Duration
}

// Tier is the limit of one surface (behaviour: limits#surface-tiers). The burst is a
// bucket that holds Count requests and refills in Per; the sustained rate is a
// window that is aligned to its period (behaviour: limits#windows-and-buckets). The
// zero Tier has no limit.
type Tier struct{ Burst, Sustained Rate }

// Tiers are the limits of all surfaces.
type Tiers struct {
	// OAuth limits the three form endpoints together, by client or address.
	OAuth Tier `env:"VITAE_TIER_OAUTH" envDefault:"20/10s 1200/1h"`
	// APIKey limits each app.
	APIKey Tier `env:"VITAE_TIER_API_KEY" envDefault:"20/1s 3000/1m"`
	// UserToken limits each connection.
	UserToken Tier `env:"VITAE_TIER_USER_TOKEN" envDefault:"20/1s 3000/1m"`
	// CVLink limits each address.
	CVLink Tier `env:"VITAE_TIER_CV_LINK" envDefault:"60/1s 2000/1m"`
}

// The largest rates for which the arithmetic of the script is exact.
const (
	maxCount = 1_000_000
	maxPer   = 24 * time.Hour
	maxBurst = time.Hour
)

// UnmarshalText reads a burst and a sustained rate, for example "20/10s 1200/1h".
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

// args are the arguments of the script for a tier. A burst of 0 means no tier.
func (t Tier) args() []any {
	return []any{t.Burst.Count, t.Burst.Per.Microseconds(), t.Sustained.Count, t.Sustained.Per.Microseconds()}
}

// meter is what a subject has spent of a tier.
type meter struct {
	// level is the fill of the bucket. A request adds the period of the burst in
	// microseconds, and each microsecond removes the count of the burst. So all numbers
	// are whole, and nothing is rounded.
	level int64
	// at is the time of level, in microseconds of Unix time.
	at int64
	// window is the number of the window since 1970; spent are its requests.
	window, spent int64
}

// spend returns the meter after a request at now, and how many microseconds the
// request must wait; 0 means that it may pass. The script does the same.
func (t Tier) spend(m meter, now int64) (next meter, wait int64) {
	burst, per := t.Burst.Count, t.Burst.Per.Microseconds()
	passed := min(max(0, now-m.at), per) // the bucket is empty after per; a larger number would overflow
	next = meter{level: max(0, m.level-passed*burst), at: now}
	if over := next.level + per - burst*per; over > 0 {
		wait = (over + burst - 1) / burst
	}
	window := t.Sustained.Per.Microseconds()
	if next.window = now / window; next.window == m.window {
		next.spent = m.spent
	}
	if next.spent >= t.Sustained.Count {
		wait = max(wait, (next.window+1)*window-now)
	}
	next.level += per
	next.spent++
	return next, wait
}
