package postgres

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/services/candidate/internal/delivery"
)

// LeaseTotals implements delivery.Outbox.
func (s *Store) LeaseTotals(ctx context.Context, atMost int32, life time.Duration) ([]delivery.Total, error) {
	rows, err := s.q.LeaseTotals(ctx, life.Seconds(), atMost)
	if err != nil {
		return nil, errorOf("lease totals", err, nil)
	}
	totals := make([]delivery.Total, len(rows))
	for i, row := range rows {
		totals[i] = delivery.Total{JobID: row.JobID, Count: row.Count}
	}
	return totals, nil
}

// WaitingTotals gives the function that tells what waits in the outbox of totals. The
// function remembers what it has seen: it is for one job.
func (s *Store) WaitingTotals() func(context.Context) (background.Size, error) {
	var seen background.Sightings
	return func(ctx context.Context) (background.Size, error) {
		ids, err := s.q.ListWaitingTotals(ctx, background.Most)
		if err != nil {
			return background.Size{}, errorOf("list waiting totals", err, nil)
		}
		return seen.Size(ids, time.Now()), nil
	}
}

// DropTotals implements delivery.Outbox.
func (s *Store) DropTotals(ctx context.Context, totals []delivery.Total) error {
	jobIDs, counts := columns(totals)
	return errorOf("drop totals", s.q.DropTotals(ctx, jobIDs, counts), nil)
}

func columns(totals []delivery.Total) (jobIDs []string, counts []int32) {
	for _, t := range totals {
		jobIDs = append(jobIDs, t.JobID)
		counts = append(counts, t.Count)
	}
	return jobIDs, counts
}
