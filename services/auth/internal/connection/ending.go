package connection

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
)

const (
	// endEvery is the pause between two rounds of the job.
	endEvery = 10 * time.Second
	// endAtOnce bounds one transaction of it, so that it never holds locks for long.
	endAtOnce = 200
)

// Ender ends connections, each with all that is below it. It ends at most so many in one
// transaction, leaves those that are locked, and returns how many it ended.
type Ender interface {
	// EndDue ends live connections whose end has come.
	EndDue(ctx context.Context, now time.Time, atMost int32) (int, error)
	// EndConnections ends live connections of deleted apps, of which an app may have millions.
	EndConnections(ctx context.Context, now time.Time, atMost int32) (int, error)
}

// EndingJob returns the job that ends connections whose end has come or whose app is
// deleted. They are refused already: every check reads both, and no session record outlives
// its connection's end. The job only ends their rows, so that the clean-up finds them.
func EndingJob(store Ender, clk clock.Clock) background.Job {
	return background.Job{Every: endEvery, Waiting: "connections to end wait for the next round", Round: func(ctx context.Context) error {
		for _, end := range []func(context.Context, time.Time, int32) (int, error){store.EndDue, store.EndConnections} {
			if err := background.Drain(endAtOnce, func() (int, error) { return end(ctx, clk.Now(), endAtOnce) }); err != nil {
				return err
			}
		}
		return nil
	}}
}
