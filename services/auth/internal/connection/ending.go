package connection

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/periodic"
)

const (
	// endEvery is the pause between two rounds of the job.
	endEvery = 10 * time.Second
	// endAtOnce bounds one transaction of it, so that it never holds locks for long.
	endAtOnce = 200
)

// Ender ends connections whose end has come.
type Ender interface {
	// EndDue ends at most so many live connections whose end has come, with all that is
	// below them, in one transaction, and gives how many it ended. It leaves those that are
	// locked.
	EndDue(ctx context.Context, now time.Time, atMost int32) (int, error)
}

// EndingConfig is what the job is made of. All fields are required.
type EndingConfig struct {
	Store Ender
	Clock clock.Clock
	Log   *slog.Logger
}

// NewEndingJob makes the job that ends connections whose end has come. They are refused
// already: every check compares their end with the time, and no session record outlives
// it. The job only brings their rows to their end.
func NewEndingJob(c EndingConfig) (periodic.Job, error) {
	if c.Store == nil || c.Clock == nil {
		return periodic.Job{}, errors.New("connection: Store and Clock are required")
	}
	return periodic.New(periodic.Job{Every: endEvery, Log: c.Log, Waiting: "connections whose end has come wait for the next round", Round: c.round})
}

func (c EndingConfig) round(ctx context.Context) error {
	for {
		ended, err := c.Store.EndDue(ctx, c.Clock.Now(), endAtOnce)
		if err != nil || ended < endAtOnce {
			return err
		}
	}
}
