package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/usage"
)

var _ usage.Store = (*Store)(nil)

// Spent implements usage.Store.
func (s *Store) Spent(ctx context.Context, accountID string, day time.Time) (int64, error) {
	n, err := s.q.GetSpent(ctx, sqlc.GetSpentParams{AccountID: accountID, Day: day})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return n, errorOf("spent", err, nil)
}

// Apply implements usage.Store.
func (s *Store) Apply(ctx context.Context, b usage.Batch, now time.Time) error {
	err := s.tx(ctx, "apply usage", func(t transaction) error {
		q := t.Queries
		taken, err := q.TakeUsageBatch(ctx, sqlc.TakeUsageBatchParams{ID: b.ID, AppliedAt: now})
		if err != nil || taken == 0 {
			return err // nil for a batch that was applied before
		}
		if err := addCounts(ctx, q, b.Counts); err != nil {
			return err
		}
		return addEntries(ctx, q, b.Entries)
	})
	if hasCode(err, "23514") { // check_violation, which only a missing partition of the log causes
		return usage.ErrNoPartition
	}
	return err
}

func addCounts(ctx context.Context, q *sqlc.Queries, counts []usage.Count) error {
	if len(counts) == 0 {
		return nil
	}
	var p sqlc.AddUsageDaysParams
	for _, c := range counts {
		p.AccountIds = append(p.AccountIds, c.AccountID)
		p.Days = append(p.Days, c.Day)
		p.AppIds = append(p.AppIds, c.AppID)
		p.ApiKeyIds = append(p.ApiKeyIds, c.APIKeyID)
		p.Requests = append(p.Requests, c.Requests)
		p.Metered = append(p.Metered, c.Metered)
		p.Failed = append(p.Failed, c.Failed)
	}
	if err := q.AddUsageDays(ctx, p); err != nil {
		return err
	}
	return q.AddUsageAccountDays(ctx, sqlc.AddUsageAccountDaysParams{AccountIds: p.AccountIds, Days: p.Days, Metered: p.Metered})
}

// Usage implements usage.Store.
func (s *Store) Usage(ctx context.Context, accountID string, from, to time.Time) ([]usage.Count, error) {
	rows, err := s.q.ListUsage(ctx, sqlc.ListUsageParams{AccountID: accountID, FromDay: from, ToDay: to})
	if err != nil {
		return nil, errorOf("list usage", err, nil)
	}
	counts := make([]usage.Count, len(rows))
	for i, row := range rows {
		d := row.UsageDay
		counts[i] = usage.Count{
			AccountID: d.AccountID, Day: d.Day, AppID: d.AppID, APIKeyID: d.ApiKeyID,
			Requests: d.Requests, Metered: d.Metered, Failed: d.Failed,
		}
	}
	return counts, nil
}

// AccountExists implements usage.Store.
func (s *Store) AccountExists(ctx context.Context, id string) (bool, error) {
	_, err := s.Account(ctx, id)
	if errors.Is(err, developer.ErrAccountNotFound) {
		return false, nil
	}
	return err == nil, err
}
