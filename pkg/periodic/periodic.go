// Package periodic runs a job of a service again and again until the service
// stops.
//
// It is for jobs that any number of replicas may run at once, and that lose nothing
// when a round fails: the next round does what is left.
package periodic

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Job is work that is done in rounds.
type Job struct {
	// Every is the time from the start of a round to the start of the next one. If a
	// round takes longer, the next one follows at once.
	Every time.Duration
	// Log takes a warning for each round that fails.
	Log *slog.Logger
	// Waiting is that warning, for example "expired sessions wait for the next round".
	Waiting string
	// Round does what there is to do now.
	Round func(context.Context) error
}

// New checks a job. All fields are required.
func New(j Job) (Job, error) {
	if j.Every <= 0 || j.Log == nil || j.Waiting == "" || j.Round == nil {
		return Job{}, errors.New("periodic: Every, Log, Waiting and Round are required")
	}
	return j, nil
}

// Run does a round at once, and then one in every Every, until ctx ends. A round
// that ctx has cut short is not a failure.
func (j Job) Run(ctx context.Context) {
	tick := time.NewTicker(j.Every)
	defer tick.Stop()
	for {
		if err := j.Round(ctx); err != nil && ctx.Err() == nil {
			j.Log.WarnContext(ctx, j.Waiting, "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
