package stack

import (
	"context"
	"fmt"
	"time"
)

// pollEvery is how often a condition is checked.
const pollEvery = 50 * time.Millisecond

// Until waits until the condition returns nil. If ctx ends first, it returns the last error.
func Until(ctx context.Context, what string, condition func(context.Context) error) error {
	tick := time.NewTicker(pollEvery)
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
