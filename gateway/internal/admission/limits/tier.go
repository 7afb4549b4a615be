package limits

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is a number of requests in a time.
type Rate struct {
	Count int64
	Per   time.Duration
}

// Tier limits one surface (spec: Per-surface tiers). The burst is a bucket that
// holds its count and refills at its own rate; the sustained rate is a window,
// aligned to its period (decision 41). The zero Tier limits nothing.
type Tier struct{ Burst, Sustained Rate }

// Tiers are those of the surfaces.
type Tiers struct {
	// OAuth is of the three form endpoints together, for each client or address.
	OAuth Tier `env:"VITAE_TIER_OAUTH" envDefault:"20/10s 1200/1h"`
	// APIKey is for each app.
	APIKey Tier `env:"VITAE_TIER_API_KEY" envDefault:"20/1s 3000/1m"`
	// UserToken is for each connection.
	UserToken Tier `env:"VITAE_TIER_USER_TOKEN" envDefault:"20/1s 3000/1m"`
	// CVLink is for each address.
	CVLink Tier `env:"VITAE_TIER_CV_LINK" envDefault:"60/1s 2000/1m"`
}

// The largest rates that the arithmetic of the script holds exactly.
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

// args are what the script is told of the tier; a burst of 0 is for none.
func (t Tier) args() []any {
	return []any{t.Burst.Count, t.Burst.Per.Microseconds(), t.Sustained.Count, t.Sustained.Per.Microseconds()}
}

// meter is what a subject has used of a tier.
type meter struct {
	// level of the bucket: each request adds the burst's time in microseconds, and a
	// microsecond takes the burst's count away. Whole numbers, so nothing is rounded.
	level int64
	// at is when level was true, in microseconds of Unix time.
	at int64
	// window is the number of the window since 1970 and spent its requests.
	window, spent int64
}

// spend gives the meter after a request now, and how many microseconds are to wait
// first: 0 if it may go. The script does the same.
func (t Tier) spend(m meter, now int64) (next meter, wait int64) {
	burst, per := t.Burst.Count, t.Burst.Per.Microseconds()
	passed := min(max(0, now-m.at), per) // by then it is empty; more would overflow
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
