package applications

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

func (s *Store) LeaseTotals(ctx context.Context, atMost int32, life time.Duration) ([]delivery.Total, error) {
	rows, err := s.db.Queries.LeaseTotals(ctx, sqlc.LeaseTotalsParams{Seconds: life.Seconds(), AtMost: atMost})
	if err != nil {
		return nil, database.ErrorOf("lease totals", err, nil)
	}
	totals := make([]delivery.Total, len(rows))
	for i, row := range rows {
		totals[i] = delivery.Total{JobID: row.JobID, Count: row.Count}
	}
	return totals, nil
}

// Outboxes returns a function that measures the outboxes. The function remembers when it first saw
// a row, so only one job may use it.
func (s *Store) Outboxes() func(context.Context) (background.Sizes, error) {
	var seen background.Sightings
	return func(ctx context.Context) (background.Sizes, error) {
		ids, err := s.db.Queries.ListWaitingTotals(ctx, background.Most)
		if err != nil {
			return nil, database.ErrorOf("list waiting totals", err, nil)
		}
		sizes := background.Sizes{"application_counts": seen.Size(ids, time.Now())}
		events, err := s.db.Audit.Size(ctx)
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
	return database.ErrorOf("drop totals", s.db.Queries.DropTotals(ctx, params), nil)
}
