package revocation

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
)

const (
	// jobEvery is the interval at which the job runs.
	jobEvery = time.Second
	// leftAfter is the minimum age of an entry that the job publishes. The call that wrote a younger entry is
	// probably still publishing it.
	leftAfter = 2 * time.Second
	// obsoleteAfter is the age at which an entry becomes obsolete, because none of its records can still exist, even
	// if its transaction took long to commit.
	obsoleteAfter = 5 * time.Minute
	// batch is the maximum number of entries read at once.
	batch = 100
)

// Job returns the job that publishes entries left behind by a crash or a canceled caller.
func (p *Publisher) Job() background.Job {
	return background.Job{Every: jobEvery, Warning: "cannot publish revocations to Redis; trying again in the next round", Round: p.publishLeft}
}

// publishLeft publishes the pending entries. It holds no transaction open while it calls Redis, because a frozen
// Redis must not make it hold Postgres locks or connections. Several replicas may publish the same entry; deleting a
// record twice is harmless.
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

// publishBatch publishes entries and reports whether more may be pending. After a Redis failure, it no longer calls
// Redis in this run, and only deletes obsolete entries, which come first.
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
			p.log.DebugContext(ctx, "pending revocations could not be published to redis", "order", e.ID, "error", down)
			return false, nil
		}
		if err := p.outbox.DeleteRevocation(ctx, e.ID); err != nil {
			return false, err
		}
	}
	return len(entries) == batch, nil
}
