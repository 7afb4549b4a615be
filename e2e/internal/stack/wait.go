package stack

import (
	"context"
	"fmt"
	"time"
)

// pollInterval is the time between two checks of a condition.
const pollInterval = 50 * time.Millisecond

// Until waits until condition returns nil. If ctx is done first, it returns the last error.
func Until(ctx context.Context, what string, condition func(context.Context) error) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		err := condition(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w; last: %w", what, ctx.Err(), err)
		case <-tick.C:
		}
	}
}
