package postgres

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/services/candidate/internal/delivery"
)

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

// Outboxes returns the function that measures what waits in the outboxes. The function
// remembers what it has seen: it is for one job.
func (s *Store) Outboxes() func(context.Context) (background.Sizes, error) {
	var seen background.Sightings
	return func(ctx context.Context) (background.Sizes, error) {
		ids, err := s.q.ListWaitingTotals(ctx, background.Most)
		if err != nil {
			return nil, errorOf("list waiting totals", err, nil)
		}
		sizes := background.Sizes{"application_counts": seen.Size(ids, time.Now())}
		events, err := s.Audit().Size(ctx)
		if err == nil {
			sizes["candidate_audit"] = events
		}
		return sizes, err
	}
}

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
