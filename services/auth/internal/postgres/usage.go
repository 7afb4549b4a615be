package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/platform/developer"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ usage.Store = (*Store)(nil)

func (s *Store) Spent(ctx context.Context, accountID string, day time.Time) (int64, error) {
	n, err := s.q.GetSpent(ctx, sqlc.GetSpentParams{AccountID: accountID, Day: day})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return n, errorOf("spent", err, nil)
}

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

func (s *Store) Refusals(ctx context.Context, accountID string, from, to time.Time) ([]usage.Refusals, error) {
	rows, err := s.q.ListRefusals(ctx, sqlc.ListRefusalsParams{AccountID: accountID, FromDay: from, ToDay: to})
	refusals := make([]usage.Refusals, len(rows))
	for i, r := range rows {
		refusals[i] = usage.Refusals{Day: r.Day, Limit: r.RefusedBy, Requests: r.Requests}
	}
	return refusals, errorOf("list refusals", err, nil)
}

func (s *Store) AccountExists(ctx context.Context, id string) (bool, error) {
	_, err := s.Account(ctx, id)
	if errors.Is(err, developer.ErrAccountNotFound) {
		return false, nil
	}
	return err == nil, err
}
