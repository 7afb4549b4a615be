package limits

import (
	"context"
	"fmt"
	"time"

	"vitae.internal/pkg/sessionrecord"
)

// Standing is what an account has spent of its present minute and UTC day, by the clock of
// the counters.
type Standing struct {
	MinuteSpent, DaySpent int64
	// Now is the time by that clock. MinuteEnds and DayEnds are when the account may spend
	// anew.
	Now, MinuteEnds, DayEnds time.Time
	// WithoutRedis means that Redis did not answer, so that other replicas may have spent
	// more.
	WithoutRedis bool
}

// Standing tells what an account has spent, and spends nothing. It sees what every replica
// has spent, as the next request of the account would. What is left is for the caller to
// say, who knows the plan. While Redis does not answer, it is what this replica knows.
// Errors: UNAVAILABLE if the counter of the day is lost and auth does not answer.
func (l *Limiter) Standing(ctx context.Context, accountID string) (Standing, error) {
	var held spent
	var now int64
	answered := l.Guard.Ask(ctx, func() (err error) {
		held, now, err = l.askStanding(ctx, accountID)
		return err
	})
	if !answered {
		now = l.Clock.Now().UnixMicro()
	}
	known := account{spent: held}.at(now).atLeast(l.local.remembered(accountID))
	if known.day != held.day { // Redis has no count of this day
		recorded, err := l.lookup.spent(ctx, accountID, now)
		if err != nil {
			return Standing{}, err
		}
		known = known.atLeast(recorded)
	}
	moment := time.UnixMicro(now).UTC()
	return Standing{
		MinuteSpent: known.minuteSpent, DaySpent: known.daySpent, Now: moment,
		MinuteEnds: moment.Truncate(time.Minute).Add(time.Minute), DayEnds: moment.Truncate(24 * time.Hour).Add(24 * time.Hour),
		WithoutRedis: !answered,
	}, nil
}

// askStanding reads the counters of an account, and Redis's time in microseconds.
func (l *Limiter) askStanding(ctx context.Context, accountID string) (held spent, now int64, err error) {
	answer, err := l.scripts.standing.Run(ctx, l.Redis, []string{sessionrecord.AccountKey(accountID, "spent")}).Int64Slice()
	if err != nil {
		return held, 0, fmt.Errorf("limits: %w", err)
	}
	if len(answer) != 5 {
		return held, 0, fmt.Errorf("limits: an answer of %d values", len(answer))
	}
	return spent{minute: answer[1], minuteSpent: answer[2], day: answer[3], daySpent: answer[4]}, answer[0], nil
}
