package postgres

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

func (s *Store) LeaseTotals(ctx context.Context, atMost int32, life time.Duration) ([]delivery.Total, error) {
	rows, err := s.q.LeaseTotals(ctx, sqlc.LeaseTotalsParams{Seconds: life.Seconds(), AtMost: atMost})
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
	var params sqlc.DropTotalsParams
	for _, t := range totals {
		params.JobIds, params.Counts = append(params.JobIds, t.JobID), append(params.Counts, t.Count)
	}
	return errorOf("drop totals", s.q.DropTotals(ctx, params), nil)
}
