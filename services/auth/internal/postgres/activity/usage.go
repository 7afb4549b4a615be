// Package activity stores usage, the request log and the audit log.
package activity

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Usage stores usage and the request log.
type Usage struct {
	DB   *db.DB
	scan scanLimits
}

// NewUsage returns a Usage.
func NewUsage(d *db.DB) *Usage { return &Usage{DB: d, scan: usualScan} }

func (s *Usage) Spent(ctx context.Context, accountID string, day time.Time) (int64, error) {
	n, err := s.DB.Q.GetSpent(ctx, sqlc.GetSpentParams{AccountID: accountID, Day: day})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return n, db.ErrorOf("spent", err, nil)
}

func (s *Usage) Usage(ctx context.Context, l usage.Listing) ([]usage.Count, error) {
	f := requestlog.Filter{APIKeyID: l.APIKeyID}
	rows, err := s.DB.Q.ListUsage(ctx, sqlc.ListUsageParams{
		AccountID: l.AccountID, FromDay: l.From, ToDay: l.To, ByApp: l.ByApp, ByKey: l.ByKey,
		AppID: l.AppID, AnyKey: l.APIKeyID == "", ApiKeyID: storedKey(f),
	})
	if err != nil {
		return nil, db.ErrorOf("list usage", err, nil)
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

func (s *Usage) Minutes(ctx context.Context, accountID string, f requestlog.Filter, since time.Time) ([]usage.Minute, error) {
	rows, err := s.DB.Q.ListUsageMinutes(ctx, sqlc.ListUsageMinutesParams{
		AccountID: accountID, Since: since, AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f),
	})
	minutes := make([]usage.Minute, len(rows))
	for i, r := range rows {
		minutes[i] = usage.Minute{At: r.Minute, Requests: r.Requests, Metered: r.Metered, Refused: r.Refused}
	}
	return minutes, db.ErrorOf("list usage by minute", err, nil)
}

func (s *Usage) Latencies(ctx context.Context, accountID string, from, to time.Time) ([]usage.Latencies, error) {
	rows, err := s.DB.Q.ListRouteLatencies(ctx, sqlc.ListRouteLatenciesParams{AccountID: accountID, FromDay: from, ToDay: to})
	buckets := make([]usage.Latencies, len(rows))
	for i, r := range rows {
		buckets[i] = usage.Latencies{
			Method: r.Method, Route: r.Route, Bucket: int(r.Bucket), Requests: r.Requests, Failed: r.Failed, ServerFailed: r.ServerFailed,
		}
	}
	return buckets, db.ErrorOf("list latencies", err, nil)
}

func (s *Usage) Refusals(ctx context.Context, accountID string, from, to time.Time) ([]usage.Refusals, error) {
	rows, err := s.DB.Q.ListRefusals(ctx, sqlc.ListRefusalsParams{AccountID: accountID, FromDay: from, ToDay: to})
	refusals := make([]usage.Refusals, len(rows))
	for i, r := range rows {
		refusals[i] = usage.Refusals{Day: r.Day, Limit: r.RefusedBy, Requests: r.Requests}
	}
	return refusals, db.ErrorOf("list refusals", err, nil)
}

func (s *Usage) AccountExists(ctx context.Context, id string) (bool, error) {
	_, err := s.DB.Q.GetAccount(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, db.ErrorOf("account", err, nil)
}
