package deletion

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/periodic"
	"vitae.internal/services/auth/internal/revocation"
)

const (
	// every is the pause between two looks for deletions that are due.
	every = 10 * time.Second
	batch = 10
	// within bounds one deletion. leaseFor is longer than a batch takes, and how long a
	// deletion waits that could not be completed.
	within   = time.Minute
	leaseFor = (batch + 1) * within
	// settle is how long after the first pass everything is deleted again. It is longer than
	// any call, upload or export that was under way then.
	settle = 15 * time.Minute
	// passes is how often everything is deleted.
	passes = 2
)

// JobConfig is what a Job is made of. All fields are required.
type JobConfig struct {
	Store       Store
	Elsewhere   Elsewhere
	Revocations *revocation.Publisher
	Clock       clock.Clock
	Log         *slog.Logger
}

// NewJob makes the job that deletes. Every replica runs it.
func NewJob(c JobConfig) (periodic.Job, error) {
	if c.Store == nil || c.Elsewhere == nil || c.Revocations == nil || c.Clock == nil || c.Log == nil {
		return periodic.Job{}, errors.New("deletion: Store, Elsewhere, Revocations, Clock and Log are required")
	}
	return periodic.New(periodic.Job{Every: every, Log: c.Log, Waiting: "accounts to delete wait for the next round", Round: c.round})
}

// round goes on with every deletion that is due. One that fails does not keep it from the
// others.
func (c JobConfig) round(ctx context.Context) error {
	var failed error
	for {
		now := c.Clock.Now()
		due, err := c.Store.LeaseDeletions(ctx, now, now.Add(leaseFor), batch)
		if err != nil || len(due) == 0 {
			return errors.Join(failed, err)
		}
		for _, d := range due {
			if err := c.pass(ctx, d); err != nil {
				failed = errors.Join(failed, err)
			}
		}
	}
}

// pass deletes everything of a person once. Credentials end first: an app or a browser that
// came later would find nothing, and must not be told so by an error.
func (c JobConfig) pass(ctx context.Context, d Due) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for _, step := range []struct {
		name string
		do   func(context.Context, string) error
	}{
		{"end its sessions", c.Store.CloseSessions},
		{"end its connections", c.endConnections},
		{"delete what auth holds", c.Store.ErasePerson},
		{"delete what candidate holds", c.Elsewhere.Erase},
		{"make the events of the audit log nobody's", c.Store.EraseEvents},
	} {
		if err := step.do(ctx, d.PersonID); err != nil {
			return fmt.Errorf("deletion: %s: %w", step.name, err)
		}
	}
	if d.Passes+1 < passes {
		return c.Store.FinishPass(ctx, d.PersonID, c.Clock.Now().Add(settle))
	}
	return c.Store.DropDeletion(ctx, d.PersonID)
}

// endConnections ends every connection, so that no replica of the gateway accepts a credential
// of it any more.
func (c JobConfig) endConnections(ctx context.Context, personID string) error {
	ids, err := c.Store.LiveConnections(ctx, personID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		entry, err := c.Store.EndConnection(ctx, personID, id, c.Clock.Now())
		if err != nil && errs.KindOf(err) != errs.NotFound { // the other one of its app has ended it
			return err
		}
		if err := c.Revocations.Publish(ctx, entry); err != nil {
			return err
		}
	}
	return nil
}
