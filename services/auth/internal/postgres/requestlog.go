package postgres

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/usage"
)

// requestLogTable is a table to which the service only adds. What is too old goes with its
// partition.
const requestLogTable = "request_log"

func addEntries(ctx context.Context, q *sqlc.Queries, entries []usage.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	var p sqlc.AddRequestsParams
	for _, e := range entries {
		p.Ats = append(p.Ats, e.At)
		p.RequestIds = append(p.RequestIds, e.RequestID)
		p.AccountIds = append(p.AccountIds, e.AccountID)
		p.AppIds = append(p.AppIds, e.AppID)
		p.ApiKeyIds = append(p.ApiKeyIds, e.APIKeyID)
		p.ConnectionIds = append(p.ConnectionIds, e.ConnectionID)
		p.Methods = append(p.Methods, e.Method)
		p.Routes = append(p.Routes, e.Route)
		p.Statuses = append(p.Statuses, e.Status)
		p.LatenciesUs = append(p.LatenciesUs, e.Latency.Microseconds())
		p.Bytes = append(p.Bytes, e.Bytes)
		p.Metered = append(p.Metered, e.Metered)
	}
	return q.AddRequests(ctx, p)
}

// Requests implements usage.Store.
func (s *Store) Requests(ctx context.Context, q usage.Query) ([]usage.Entry, error) {
	rows, err := s.requests(ctx, q)
	if err != nil {
		return nil, errorOf("list requests", err, nil)
	}
	entries := make([]usage.Entry, len(rows))
	for i, r := range rows {
		entries[i] = usage.Entry{
			At: r.At, RequestID: r.RequestID, AccountID: r.AccountID, AppID: r.AppID, APIKeyID: r.ApiKeyID,
			ConnectionID: r.ConnectionID, Method: r.Method, Route: r.Route, Status: r.Status,
			Latency: time.Duration(r.LatencyUs) * time.Microsecond, Bytes: r.Bytes, Metered: r.Metered,
		}
	}
	return entries, nil
}

func (s *Store) requests(ctx context.Context, q usage.Query) (rows []sqlc.RequestLog, err error) {
	if q.AppID == "" {
		found, err := s.q.ListRequests(ctx, sqlc.ListRequestsParams{
			AccountID: q.AccountID, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.RequestID, AtMost: int32(q.AtMost),
		})
		for _, row := range found {
			rows = append(rows, row.RequestLog)
		}
		return rows, err
	}
	found, err := s.q.ListAppRequests(ctx, sqlc.ListAppRequestsParams{
		AppID: q.AppID, AccountID: q.AccountID, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.RequestID, AtMost: int32(q.AtMost),
	})
	for _, row := range found {
		rows = append(rows, row.RequestLog)
	}
	return rows, err
}
