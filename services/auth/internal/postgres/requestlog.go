package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

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
		p.ErrorCodes = append(p.ErrorCodes, e.ErrorCode)
		p.ResourceIds = append(p.ResourceIds, e.ResourceID)
		p.ClientAddresses = append(p.ClientAddresses, e.ClientAddress)
		p.UserAgents = append(p.UserAgents, e.UserAgent)
		p.MinutesLeft = append(p.MinutesLeft, e.MinuteLeft)
		p.DaysLeft = append(p.DaysLeft, e.DayLeft)
		p.RefusedBy = append(p.RefusedBy, e.RefusedBy)
	}
	return q.AddRequests(ctx, p)
}

// Request implements usage.Store.
func (s *Store) Request(ctx context.Context, accountID, requestID string, from, to time.Time) (usage.Entry, bool, error) {
	row, err := s.q.GetRequest(ctx, sqlc.GetRequestParams{AccountID: accountID, FromAt: from, ToAt: to, RequestID: requestID})
	if errors.Is(err, pgx.ErrNoRows) {
		return usage.Entry{}, false, nil
	}
	return requestFromRow(row.RequestLog), err == nil, errorOf("get a request", err, nil)
}

// Requests implements usage.Store.
func (s *Store) Requests(ctx context.Context, q usage.Query) ([]usage.Entry, error) {
	rows, err := s.requests(ctx, q)
	if err != nil {
		return nil, errorOf("list requests", err, nil)
	}
	entries := make([]usage.Entry, len(rows))
	for i, r := range rows {
		entries[i] = requestFromRow(r)
	}
	return entries, nil
}

func (s *Store) requests(ctx context.Context, q usage.Query) ([]sqlc.RequestLog, error) {
	if q.Filter.ByFacet() {
		return s.filtered(ctx, q)
	}
	found, err := s.q.ListRequests(ctx, sqlc.ListRequestsParams{
		AccountID: q.AccountID, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.RequestID, AtMost: int32(q.AtMost),
	})
	rows := make([]sqlc.RequestLog, len(found))
	for i, row := range found {
		rows[i] = row.RequestLog
	}
	return rows, err
}

func requestFromRow(r sqlc.RequestLog) usage.Entry {
	e := usage.Entry{
		At: r.At, RequestID: r.RequestID, AccountID: r.AccountID, AppID: r.AppID, APIKeyID: r.ApiKeyID,
		ConnectionID: r.ConnectionID, Method: r.Method, Route: r.Route, Status: r.Status,
		Latency: time.Duration(r.LatencyUs) * time.Microsecond, Bytes: r.Bytes, Metered: r.Metered,
		ErrorCode: r.ErrorCode, ResourceID: r.ResourceID, ClientAddress: r.ClientAddress, UserAgent: r.UserAgent,
		MinuteLeft: usage.Unknown, DayLeft: usage.Unknown, RefusedBy: r.RefusedBy,
	}
	if r.MinuteLeft != nil {
		e.MinuteLeft = *r.MinuteLeft
	}
	if r.DayLeft != nil {
		e.DayLeft = *r.DayLeft
	}
	return e
}
