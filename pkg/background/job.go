// Package background runs the periodic jobs of a service and measures its outboxes.
//
// Any number of replicas may run a job at the same time. A failed round loses nothing: the next
// round does the remaining work.
package background

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Job is work that runs periodically. All fields except Wake are required.
type Job struct {
	// Every is the time between the starts of two rounds. After a round that takes longer, the next
	// one starts immediately.
	Every time.Duration
	// Wake starts a round early, unless the previous one failed.
	Wake <-chan struct{}
	// Warning is logged when a round fails, for example "cannot delete expired rows; trying again
	// in the next round".
	Warning string
	// Round does the work that is due.
	Round func(context.Context) error
}

// Start runs jobs, each with a first round immediately. stop cancels them and returns when the
// running rounds have ended.
func Start(log *slog.Logger, jobs ...Job) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, j := range jobs {
		running.Go(func() { j.run(ctx, log) })
	}
	return func() { cancel(); running.Wait() }
}

// run repeats rounds until ctx ends. The error of a round that ctx has cancelled is not logged.
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

// Drain repeats do, which processes at most atMost rows and returns how many it found, until it
// finds fewer.
func Drain[N int | int64](atMost N, do func() (N, error)) error {
	for {
		if n, err := do(); err != nil || n < atMost {
			return err
		}
	}
}

// Each takes leases and processes the leased entries until nothing is due, or a batch has a failure.
// A failing entry does not block the rest of its batch; it is due again when its lease ends.
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
