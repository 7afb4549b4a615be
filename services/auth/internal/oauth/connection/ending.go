package connection

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
)

const (
	// endEvery is the pause between two runs of the job.
	endEvery = 10 * time.Second
	// endAtOnce limits a transaction of the job, so that it never holds locks for long.
	endAtOnce = 200
)

// Ender ends connections and everything that depends on them. It ends at most atMost
// connections in one transaction, skips locked ones, and returns how many it ended.
type Ender interface {
	// EndDue ends live connections that have reached their end.
	EndDue(ctx context.Context, now time.Time, atMost int32) (int, error)
	// EndConnections ends live connections of deleted apps. An app may have millions.
	EndConnections(ctx context.Context, now time.Time, atMost int32) (int, error)
}

// EndingJob returns the job that ends connections that have reached their end or whose app is
// deleted. They are already refused: every check reads both, and no session record outlives
// its connection's end. The job only ends the rows, so that the clean-up finds them.
func EndingJob(store Ender, clk clock.Clock) background.Job {
	return background.Job{Every: endEvery, Warning: "cannot end connections; trying again in the next round", Round: func(ctx context.Context) error {
		for _, end := range []func(context.Context, time.Time, int32) (int, error){store.EndDue, store.EndConnections} {
			if err := background.Drain(endAtOnce, func() (int, error) { return end(ctx, clk.Now(), endAtOnce) }); err != nil {
				return err
			}
		}
		return nil
	}}
}
