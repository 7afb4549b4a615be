// Package background runs the periodic jobs of a service and measures its outboxes.
//
// Any number of replicas may run the same job concurrently. If a round fails, no work is lost: the
// next round does it.
package background

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Job is a task that runs periodically. All fields except Wake are required.
type Job struct {
	// Every is the time between the starts of two rounds. If a round takes longer, the next one
	// starts immediately after it.
	Every time.Duration
	// Wake starts the next round early, unless the previous round failed.
	Wake <-chan struct{}
	// Warning is the message logged when a round fails, for example "cannot delete expired rows;
	// trying again in the next round".
	Warning string
	// Round does the work that is due.
	Round func(context.Context) error
}

// Start runs jobs in the background. The first round of each job starts immediately. stop cancels
// the jobs and waits until the running rounds have returned.
func Start(log *slog.Logger, jobs ...Job) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, j := range jobs {
		running.Go(func() { j.run(ctx, log) })
	}
	return func() { cancel(); running.Wait() }
}

// run repeats rounds until ctx is done. It does not log the error of a round that was interrupted
// because ctx is done.
func (j Job) run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(j.Every)
	defer tick.Stop()
	for {
		wake := j.Wake
		if err := j.Round(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, j.Warning, "error", err)
			wake = nil
		}
		select {
		case <-wake:
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Drain calls do until it processes fewer than atMost rows or fails. do processes at most atMost
// rows and returns their number.
func Drain[N int | int64](atMost N, do func() (N, error)) error {
	for {
		if n, err := do(); err != nil || n < atMost {
			return err
		}
	}
}

// Each leases entries and processes them, until nothing is due or a batch has a failure. A failing
// entry does not block the rest of its batch; it is due again when its lease expires.
func Each[T any](lease func() ([]T, error), do func(T) error) error {
	for {
		due, err := lease()
		if err != nil || len(due) == 0 {
			return err
		}
		var failed []error
		for _, one := range due {
			if err := do(one); err != nil {
				failed = append(failed, err)
			}
		}
		if len(failed) > 0 {
			return errors.Join(failed...)
		}
	}
}
