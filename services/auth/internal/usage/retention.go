package usage

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
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
	// minutesKept is how long the usage by minute is stored, which is longer than it is shown.
	minutesKept = 3 * time.Hour
	// routesKept is how long errors and latency by route are stored.
	routesKept = (maxDays + 1) * day
	// readsKept is how long it is stored what apps have read of people: the year that is shown,
	// and a leap day.
	readsKept = 366 * day
	// atOnce bounds one delete, so that it never holds locks for long.
	atOnce = 1000
)

// RetentionJob makes the partitions of the log in advance, and drops those that are too
// old (behaviour: usage#retention).
func (s *Service) RetentionJob() background.Job {
	return background.Job{Every: retainEvery, Waiting: "the request log is kept in the next round", Round: s.retain}
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
	return s.deleteOld(ctx, now)
}

// deleteOld deletes what is no longer shown, a little at a time.
func (s *Service) deleteOld(ctx context.Context, now time.Time) error {
	for _, old := range []struct {
		delete func(context.Context, time.Time, int32) (int64, error)
		before time.Time
	}{
		{s.partitions.DeleteBatches, now.Add(-batchesKept)},
		{s.partitions.DeleteRefusals, oldest(now)},
		{s.partitions.DeleteMinutes, now.Add(-minutesKept)},
		{s.partitions.DeleteReads, DayOf(now.Add(-readsKept))},
		{s.partitions.DeleteApplicationReads, DayOf(now.Add(-readsKept))},
		{s.partitions.DeleteLatencies, DayOf(now.Add(-routesKept))},
	} {
		if err := background.Drain(atOnce, func() (int64, error) { return old.delete(ctx, old.before, atOnce) }); err != nil {
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

// ends is the time from which on the log takes no request (behaviour: usage#late-entries).
func ends(now time.Time) time.Time { return DayOf(now).Add(2 * day) }
