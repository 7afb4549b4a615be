package connection

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
)

const (
	// endEvery is the interval at which the job runs.
	endEvery = 10 * time.Second
	// endAtOnce is the maximum number of connections ended in one transaction. It is small, so that locks are held
	// only briefly.
	endAtOnce = 200
)

// Ender ends connections and everything that depends on them. Each method ends at most atMost connections in one
// transaction, skips locked connections, and returns how many connections it ended.
type Ender interface {
	// EndDue ends live connections that have reached their end date.
	EndDue(ctx context.Context, now time.Time, atMost int32) (int, error)
	// EndConnections ends live connections with deleted apps. An app may have millions of connections.
	EndConnections(ctx context.Context, now time.Time, atMost int32) (int, error)
}

// EndingJob returns the job that ends connections that have reached their end date or whose app has been deleted.
// Their credentials are already rejected: every check takes both conditions into account, and no session record
// outlives its connection's end date. The job only marks the rows as ended, so that the clean-up job finds them.
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
