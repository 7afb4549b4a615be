package limits

import (
	"context"
	"fmt"
	"time"

	"vitae.internal/pkg/sessionrecord"
)

// Standing is an account's usage in the current minute and UTC day.
type Standing struct {
	MinuteUsed, DayUsed int64
	// Now is the time on the counters' clock. MinuteEnds and DayEnds are the times at which they are
	// reset.
	Now, MinuteEnds, DayEnds time.Time
	// WithoutRedis is true if Redis did not respond. The usage on other replicas is then missing.
	WithoutRedis bool
}

// Standing returns an account's usage on all replicas. It charges nothing. While Redis does not respond, it
// returns only the usage that this replica knows. It returns UNAVAILABLE if the day's counter is lost and the
// auth service does not respond.
func (l *Limiter) Standing(ctx context.Context, accountID string) (Standing, error) {
	var held used
	var now int64
	answered := l.Guard.Ask(ctx, func() (err error) {
		held, now, err = l.askStanding(ctx, accountID)
		return err
	})
	if !answered {
		now = l.Clock.Now().UnixMicro()
	}
	known := account{used: held}.at(now).atLeast(l.local.remembered(accountID))
	if known.day != held.day { // Redis has no counter for this day
		recorded, err := l.lookup.used(ctx, accountID, now)
		if err != nil {
			return Standing{}, err
		}
		known = known.atLeast(recorded)
	}
	at := time.UnixMicro(now).UTC()
	return Standing{
		MinuteUsed: known.minuteUsed, DayUsed: known.dayUsed, Now: at,
		MinuteEnds: at.Truncate(time.Minute).Add(time.Minute), DayEnds: at.Truncate(24 * time.Hour).Add(24 * time.Hour),
		WithoutRedis: !answered,
	}, nil
}

// askStanding returns the counters of an account, and Redis's time in microseconds.
func (l *Limiter) askStanding(ctx context.Context, accountID string) (held used, now int64, err error) {
	answer, err := l.scripts.standing.Run(ctx, l.Redis, []string{sessionrecord.AccountKey(accountID, "spent")}).Int64Slice()
	if err != nil {
		return held, 0, fmt.Errorf("limits: %w", err)
	}
	if len(answer) != 5 {
		return held, 0, fmt.Errorf("limits: a reply with %d values", len(answer))
	}
	return used{minute: answer[1], minuteUsed: answer[2], day: answer[3], dayUsed: answer[4]}, answer[0], nil
}
