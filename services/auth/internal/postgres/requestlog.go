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
	read := s.unfiltered
	if q.Filter.ByFacet() {
		read = s.filtered
	}
	rows, err := read(ctx, q)
	if err != nil {
		return nil, errorOf("list requests", err, nil)
	}
	entries := make([]usage.Entry, len(rows))
	for i, r := range rows {
		entries[i] = requestFromRow(r)
	}
	return entries, nil
}

// unfiltered gives a page of all requests of an account.
func (s *Store) unfiltered(ctx context.Context, q usage.Query) ([]sqlc.RequestLog, error) {
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
		MinuteLeft: usage.Unknown, DayLeft: usage.Unknown, RefusedBy: r.RefusedBy, ErrorMessage: r.ErrorMessage, OtherFaults: r.OtherFaults,
	}
	if r.MinuteLeft != nil {
		e.MinuteLeft = *r.MinuteLeft
	}
	if r.DayLeft != nil {
		e.DayLeft = *r.DayLeft
	}
	return e
}
