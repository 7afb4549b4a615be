// Package background runs the jobs of a service and measures its outboxes.
//
// Any number of replicas may run a job at once. A round that fails loses nothing: the next
// round does what is left.
package background

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Job is work that is done in rounds. All fields but Wake are required.
type Job struct {
	// Every is the time from the start of a round to the start of the next one. If a
	// round takes longer, the next one follows at once.
	Every time.Duration
	// Wake starts a round before its time, but not after one that has failed.
	Wake <-chan struct{}
	// Waiting is the warning for a round that fails, for example "expired sessions wait for
	// the next round".
	Waiting string
	// Round does what there is to do now.
	Round func(context.Context) error
}

// Start runs jobs, each with a first round at once. stop ends them, and returns when no
// round is running.
func Start(log *slog.Logger, jobs ...Job) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, j := range jobs {
		running.Go(func() { j.run(ctx, log) })
	}
	return func() { cancel(); running.Wait() }
}

// run does rounds until ctx ends. A round that ctx has cut short is not a failure.
func (j Job) run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(j.Every)
	defer tick.Stop()
	for {
		wake := j.Wake
		if err := j.Round(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, j.Waiting, "error", err)
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

// Drain repeats do, which works on at most so many rows and returns how many it found,
// until it finds fewer.
func Drain[N int | int64](atMost N, do func() (N, error)) error {
	for {
		if n, err := do(); err != nil || n < atMost {
			return err
		}
	}
}

// Each takes leases and works on what they return until nothing is due. An entry that
// fails does not block the others; it is due again when its lease ends.
func Each[T any](lease func() ([]T, error), do func(T) error) error {
	var failed error
	for {
		due, err := lease()
		if err != nil || len(due) == 0 {
			return errors.Join(failed, err)
		}
		for _, one := range due {
			failed = errors.Join(failed, do(one))
		}
	}
}
