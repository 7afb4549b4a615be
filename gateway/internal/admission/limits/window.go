package limits

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"vitae.internal/pkg/errs"
)

// Window is a subject's usage of a rate in the current window. Windows are aligned to the rate's period. The
// legacy interface limits apps this way (behaviour: legacy#hourly-limit).
type Window struct {
	Rate Rate
	// Charged is the number of requests in the current window.
	Charged int64
	// Now is the time on the counter's clock, in microseconds of Unix time.
	Now int64
	// Refusal is the error if the window is exhausted, or nil.
	Refusal error
}

// Charge counts one request against a subject's window, unless the window is exhausted.
func (l *Limiter) Charge(ctx context.Context, r Rate, subject string) Window {
	return l.window(ctx, r, subject, 1)
}

// Read returns the window of a subject without charging a request.
func (l *Limiter) Read(ctx context.Context, r Rate, subject string) Window {
	return l.window(ctx, r, subject, 0)
}

func (l *Limiter) window(ctx context.Context, r Rate, subject string, requests int64) Window {
	key := surfaceKey(subject)
	var (
		m       meter
		now     int64
		refuses bool
	)
	answered := l.Guard.Ask(ctx, func() (err error) {
		held, _ := l.local.meters.Get(key)
		m, now, refuses, err = l.askWindow(ctx, r, key, requests, held)
		return err
	})
	if answered {
		l.local.meters.Change(key, func(held meter) meter {
			if held.window == m.window && held.used > m.used {
				return held // replies may arrive out of order
			}
			return m
		})
	} else {
		decidedLocally.WithLabelValues("window").Inc()
		now = l.Clock.Now().UnixMicro()
		m, refuses = l.local.window(r, key, now, requests)
	}
	w := Window{Rate: r, Charged: m.used, Now: now}
	if refuses {
		refused.WithLabelValues("window").Inc()
		w.Refusal = errs.New(errs.Exhausted, CodeRate, "More than %s are not allowed.", r.requests()).WithRetryAfter(w.left())
	}
	return w
}

func (l *Limiter) askWindow(ctx context.Context, r Rate, key string, requests int64, held meter) (m meter, now int64, refuses bool, err error) {
	answer, err := l.scripts.window.Run(ctx, l.Redis, []string{key},
		r.Count, r.Per.Microseconds(), requests, held.window, held.used).Int64Slice()
	if err != nil {
		return m, 0, false, fmt.Errorf("limits: %w", err)
	}
	if len(answer) != 3 {
		return m, 0, false, errors.New("limits: a reply with the wrong number of values")
	}
	now = answer[0]
	return meter{window: now / r.Per.Microseconds(), used: answer[1]}, now, answer[2] == 1, nil
}

// window applies the script's rules to the counters in this replica's memory.
func (l *local) window(r Rate, key string, now, requests int64) (next meter, refuses bool) {
	next = l.meters.Change(key, func(m meter) meter {
		if at := now / r.Per.Microseconds(); m.window != at {
			m = meter{window: at}
		}
		if refuses = requests > 0 && m.used >= r.Count; !refuses {
			m.used += requests
		}
		return m
	})
	return next, refuses
}

// left returns the time until the window ends.
func (w Window) left() time.Duration {
	period := w.Rate.Per.Microseconds()
	return time.Duration((w.Now/period+1)*period-w.Now) * time.Microsecond
}

// SetHeaders sets the headers of the legacy interface and the headers of the IETF draft (see
// Budget.SetHeaders). The reset time is in Unix seconds, rounded up.
func (w Window) SetHeaders(h http.Header) {
	const second = int64(time.Second / time.Microsecond)
	ends := (w.Now + w.left().Microseconds() + second - 1) / second
	limit := strconv.FormatInt(w.Rate.Count, 10)
	left := strconv.FormatInt(max(0, w.Rate.Count-w.Charged), 10)
	h.Set("X-RateLimit-Limit", limit)
	h.Set("X-RateLimit-Remaining", left)
	h.Set("X-RateLimit-Reset", strconv.FormatInt(ends, 10))
	h.Set("RateLimit-Policy", fmt.Sprintf(`"partner";q=%s;w=%d`, limit, w.Rate.Per/time.Second))
	h.Set("RateLimit", fmt.Sprintf(`"partner";r=%s;t=%d`, left, ends-w.Now/second))
}

// UnmarshalText parses a rate, for example "100/1h".
func (r *Rate) UnmarshalText(text []byte) (err error) {
	*r, err = parseRate(string(text), maxPer)
	return err
}

// requests formats a rate for use in a message.
func (r Rate) requests() string {
	return fmt.Sprintf("%d requests in %s", r.Count, shortDuration(r.Per))
}
