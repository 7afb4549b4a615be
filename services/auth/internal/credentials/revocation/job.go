package revocation

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
)

const (
	// jobEvery is the pause between two runs of the job.
	jobEvery = time.Second
	// leftAfter is the age from which the job publishes an entry. The call that wrote a
	// younger one is still publishing it.
	leftAfter = 2 * time.Second
	// obsoleteAfter is the age from which no record of an entry can exist, however long its
	// transaction took to commit.
	obsoleteAfter = 5 * time.Minute
	// batch is the number of entries that are read at once.
	batch = 100
)

// Job returns the job that publishes entries left by a crash or a canceled caller.
func (p *Publisher) Job() background.Job {
	return background.Job{Every: jobEvery, Warning: "cannot publish revocations to Redis; trying again in the next round", Round: p.publishLeft}
}

// publishLeft publishes the pending entries. It has no open transaction while it calls Redis,
// because a frozen Redis must not hold locks or connections of Postgres. Several replicas may
// publish the same entry; deleting a record twice is harmless.
func (p *Publisher) publishLeft(ctx context.Context) error {
	for {
		now := p.clock.Now()
		entries, err := p.outbox.PendingRevocations(ctx, now.Add(-leftAfter), batch)
		if err != nil {
			return err
		}
		if more, err := p.publishBatch(ctx, entries, now); err != nil || !more {
			return err
		}
	}
}

// publishBatch reports whether more entries may be pending. After a failure of Redis, it only
// deletes obsolete entries, which are the oldest, for the rest of the run.
func (p *Publisher) publishBatch(ctx context.Context, entries []Entry, now time.Time) (more bool, err error) {
	var down error
	for _, e := range entries {
		if down == nil {
			if err := p.complete(ctx, &e); err != nil {
				return false, err
			}
			down = p.deleteRecords(ctx, e)
		}
		if down != nil && now.Sub(e.At) <= obsoleteAfter {
			p.log.DebugContext(ctx, "redis could not be told of orders that were left", "order", e.ID, "error", down)
			return false, nil
		}
		if err := p.outbox.DeleteRevocation(ctx, e.ID); err != nil {
			return false, err
		}
	}
	return len(entries) == batch, nil
}
