package usage

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/services/auth/internal/activity/requestlog"
)

const (
	// retainEvery is the interval at which the job runs.
	retainEvery = 10 * time.Minute
	// ahead is the number of future days for which partitions are created. Three days are enough for the log to
	// survive a weekend during which the job fails.
	ahead = 3
	// batchesKept is how long the ids of applied batches are retained. The gateway resends a batch for as long as it
	// cannot reach the auth service.
	batchesKept = day
	// minutesKept is how long usage by minute is retained. It exceeds the period that can be listed.
	minutesKept = 3 * time.Hour
	// routesKept is how long errors and latency by route are retained.
	routesKept = (maxDays + 1) * day
	// readsKept is how long reads of personal data are retained: a year, including a leap day.
	readsKept = 366 * day
	// atOnce is the maximum number of rows deleted in one transaction. It is small, so that locks are held only
	// briefly.
	atOnce = 1000
)

// RetentionJob returns the job that creates the log's partitions in advance, drops old ones and deletes expired rows
// of the other tables (behaviour: usage#retention).
func (s *Service) RetentionJob() background.Job {
	return background.Job{Every: retainEvery, Warning: "cannot create or drop partitions of the request log; trying again in the next round", Round: s.retain}
}

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

// deleteOld deletes expired rows in small batches.
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

// makeFrom creates the partitions from the given day onwards.
func (s *Service) makeFrom(ctx context.Context, first time.Time) error {
	return s.partitions.MakePartitions(ctx, first, DayOf(s.clock.Now()).Add(ahead*day))
}

// oldest returns the first day that the log still contains.
func oldest(now time.Time) time.Time { return DayOf(now.Add(-requestlog.Retention)) }
