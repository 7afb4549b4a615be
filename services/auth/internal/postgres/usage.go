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
		if err := noteKeyUses(ctx, q, b.KeyUses(now)); err != nil {
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
		p.Refused = append(p.Refused, c.Refused)
		p.Redirected = append(p.Redirected, c.Redirected)
		p.ServerFailed = append(p.ServerFailed, c.ServerFailed)
	}
	if err := q.AddUsageDays(ctx, p); err != nil {
		return err
	}
	return q.AddUsageAccountDays(ctx, sqlc.AddUsageAccountDaysParams{AccountIds: p.AccountIds, Days: p.Days, Metered: p.Metered})
}

func noteKeyUses(ctx context.Context, q *sqlc.Queries, uses map[string]time.Time) error {
	if len(uses) == 0 {
		return nil
	}
	var p sqlc.NoteApiKeyUsesParams
	for id, at := range uses {
		p.Ids, p.Ats = append(p.Ids, id), append(p.Ats, at)
	}
	return q.NoteApiKeyUses(ctx, p)
}

// Usage implements usage.Store.
func (s *Store) Usage(ctx context.Context, l usage.Listing) ([]usage.Count, error) {
	f := usage.Filter{APIKeyID: l.APIKeyID}
	rows, err := s.q.ListUsage(ctx, sqlc.ListUsageParams{
		AccountID: l.AccountID, FromDay: l.From, ToDay: l.To, ByApp: l.ByApp, ByKey: l.ByKey,
		AppID: l.AppID, AnyKey: l.APIKeyID == "", ApiKeyID: storedKey(f),
	})
	if err != nil {
		return nil, errorOf("list usage", err, nil)
	}
	counts := make([]usage.Count, len(rows))
	for i, r := range rows {
		counts[i] = usage.Count{
			Day: r.Day, AppID: r.App, APIKeyID: r.Key, Requests: r.Requests, Metered: r.Metered, Failed: r.Failed,
			Refused: r.Refused, Redirected: r.Redirected, ServerFailed: r.ServerFailed,
		}
	}
	return counts, nil
}

// Minutes implements usage.Store.
func (s *Store) Minutes(ctx context.Context, accountID string, f usage.Filter, since time.Time) ([]usage.Minute, error) {
	rows, err := s.q.ListUsageMinutes(ctx, sqlc.ListUsageMinutesParams{
		AccountID: accountID, Since: since, AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f),
	})
	minutes := make([]usage.Minute, len(rows))
	for i, r := range rows {
		minutes[i] = usage.Minute{At: r.Minute, Requests: r.Requests, Metered: r.Metered, Refused: r.Refused}
	}
	return minutes, errorOf("list usage by minute", err, nil)
}

// Latencies implements usage.Store.
func (s *Store) Latencies(ctx context.Context, accountID string, from, to time.Time) ([]usage.Latencies, error) {
	rows, err := s.q.ListRouteLatencies(ctx, sqlc.ListRouteLatenciesParams{AccountID: accountID, FromDay: from, ToDay: to})
	buckets := make([]usage.Latencies, len(rows))
	for i, r := range rows {
		buckets[i] = usage.Latencies{
			Method: r.Method, Route: r.Route, Bucket: int(r.Bucket), Requests: r.Requests, Failed: r.Failed, ServerFailed: r.ServerFailed,
		}
	}
	return buckets, errorOf("list latencies", err, nil)
}

// Refusals implements usage.Store.
func (s *Store) Refusals(ctx context.Context, accountID string, from, to time.Time) ([]usage.Refusals, error) {
	rows, err := s.q.ListRefusals(ctx, sqlc.ListRefusalsParams{AccountID: accountID, FromDay: from, ToDay: to})
	refusals := make([]usage.Refusals, len(rows))
	for i, r := range rows {
		refusals[i] = usage.Refusals{Day: r.Day, Limit: r.RefusedBy, Requests: r.Requests}
	}
	return refusals, errorOf("list refusals", err, nil)
}

// AccountExists implements usage.Store.
func (s *Store) AccountExists(ctx context.Context, id string) (bool, error) {
	_, err := s.Account(ctx, id)
	if errors.Is(err, developer.ErrAccountNotFound) {
		return false, nil
	}
	return err == nil, err
}
