package usage

import (
	"context"
	"time"

	"vitae.internal/pkg/periodic"
)

const (
	// retainEvery is the pause between two rounds of the job.
	retainEvery = 10 * time.Minute
	// ahead is how many days after today have a partition. Three of them last for a
	// weekend on which the job fails.
	ahead = 3
	// batchesKept is how long the id of an applied batch is stored. The gateway sends a batch
	// again for as long as it cannot reach auth.
	batchesKept = day
	// batchesAtOnce bounds one delete, so that it never holds locks for long.
	batchesAtOnce = 1000
)

// RetentionJob makes the partitions of the log in advance, and drops those that are too
// old (behaviour: usage#retention).
func (s *Service) RetentionJob() (periodic.Job, error) {
	return periodic.New(periodic.Job{
		Every: retainEvery, Log: s.log, Waiting: "the request log is kept in the next round", Round: s.retain,
	})
}

// retain is a round of the job.
func (s *Service) retain(ctx context.Context) error {
	now := s.clock.Now()
	if err := s.makeFrom(ctx, DayOf(now)); err != nil {
		return err
	}
	if err := s.partitions.DropPartitions(ctx, oldest(now)); err != nil {
		return err
	}
	for n := int64(batchesAtOnce); n == batchesAtOnce; {
		var err error
		if n, err = s.partitions.DeleteBatches(ctx, now.Add(-batchesKept), batchesAtOnce); err != nil {
			return err
		}
	}
	return nil
}

// makeFrom makes the partitions of a day and of all days after it that need one now.
func (s *Service) makeFrom(ctx context.Context, first time.Time) error {
	return s.partitions.MakePartitions(ctx, first, DayOf(s.clock.Now()).Add(ahead*day))
}

// oldest is the first day of which the log still holds a request.
func oldest(now time.Time) time.Time { return DayOf(now.Add(-Retention)) }
