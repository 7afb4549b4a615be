package activity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// RequestLogTable is the request log, a table to which the service can only add rows. Old rows are removed by
// dropping their partition.
const RequestLogTable = "request_log"

// logColumns lists the log's columns, in the order in which rows are copied.
var logColumns = []string{
	"at", "request_id", "account_id", "app_id", "api_key_id", "connection_id", "method", "route", "status", "latency_us", "bytes", "metered",
	"error_code", "resource_id", "client_address", "user_agent", "minute_left", "day_left", "refused_by", "error_message", "other_faults",
}

func (s *Usage) Request(ctx context.Context, accountID, requestID string, from, to time.Time) (requestlog.Entry, bool, error) {
	row, err := s.DB.Q.GetRequest(ctx, sqlc.GetRequestParams{AccountID: accountID, FromAt: from, ToAt: to, RequestID: requestID})
	if errors.Is(err, pgx.ErrNoRows) {
		return requestlog.Entry{}, false, nil
	}
	return requestFromRow(row.RequestLog), err == nil, db.ErrorOf("get a request", err, nil)
}

// scanLimits limits how many log entries are read in search of one page.
type scanLimits struct {
	// first is how many entries are read from each index that serves part of the filter. most is how many entries in
	// total are read from the best of these indexes.
	first, most int
}

// Reading this many entries takes about 100 ms if they are in memory.
var usualScan = scanLimits{first: 1000, most: 30_000}

// beginReading begins a transaction that reads the log in index order: sorting is off, so no other plan is possible.
// The transaction uses generic plans, because planning for every partition takes longer than reading a page. The
// estimated cost of a generic plan includes all partitions and would trigger JIT compilation, so JIT is off.
var beginReading = pgx.TxOptions{BeginQuery: "BEGIN READ ONLY; SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL jit = off; SET LOCAL enable_sort = off"}

// Requests implements requestlog.Store. It first reads a few entries from each index that serves part of the filter.
// Then it continues with the index that got furthest back in time, because with that index it has to skip the fewest
// entries.
func (s *Usage) Requests(ctx context.Context, q requestlog.Query) (page requestlog.Page, err error) {
	err = pgx.BeginTxFunc(ctx, s.DB.Pool, beginReading, func(tx pgx.Tx) error {
		var best string
		for _, index := range indexed(q.Filter) {
			found, err := readLog(ctx, tx, q, index, max(s.scan.first, q.AtMost))
			if err != nil {
				return err
			}
			if best == "" || found.Stopped.At.Before(page.Stopped.At) {
				page, best = found, index
			}
			if !page.IsPartial() {
				return nil
			}
		}
		q.After, q.AtMost = page.Stopped, q.AtMost-len(page.Entries)
		rest, err := readLog(ctx, tx, q, best, s.scan.most-s.scan.first)
		page = requestlog.Page{Entries: append(page.Entries, rest.Entries...), Stopped: rest.Stopped}
		return err
	})
	return page, db.ErrorOf("list requests", err, nil)
}

// A term is one of the conditions in a filter.
type term struct {
	set bool
	// sql is the condition. index is the same condition as written in the definition of the index that serves it, or
	// empty if there is no such index.
	sql, index string
}

func terms(f requestlog.Filter) []term {
	class := "status / 100 = @least / 100 AND status >= 300"
	if least, _ := f.Statuses(); least < 300 {
		class = ""
	}
	return []term{
		{f.AppID != "", "app_id = @app", "app_id = @app"},
		{f.APIKeyID != "", "api_key_id = @key", "api_key_id = @key"},
		{f.Status != "", "status BETWEEN @least AND @greatest", class},
		{f.ErrorCode != "", "error_code = @code", "error_code = @code AND error_code <> ''"},
		{f.ResourceID != "", "resource_id = @resource", "resource_id = @resource AND resource_id <> ''"},
		{f.Method != "", "method = @method", ""},
		{f.Route != "", "route = @route", ""},
	}
}

// indexed returns the index conditions that can serve a filter. The index that contains only the account uses a
// different collation, so Postgres never chooses it instead of the others.
func indexed(f requestlog.Filter) (conditions []string) {
	for _, t := range terms(f) {
		if t.set && t.index != "" {
			conditions = append(conditions, `account_id COLLATE "C" = @account AND `+t.index)
		}
	}
	if conditions == nil {
		conditions = []string{"account_id = @account"}
	}
	return conditions
}

// readLog reads at most atMost entries from an index, newest first, until the page is full. It records the position
// of the last entry that it read, which is where the search stopped.
func readLog(ctx context.Context, tx pgx.Tx, q requestlog.Query, index string, atMost int) (page requestlog.Page, err error) {
	sql, args := logStatement(q, index, atMost)
	rows, err := tx.Query(ctx, sql, args)
	if err != nil {
		return page, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[scannedRequest])
	if err != nil {
		return page, err
	}
	for _, r := range found {
		if r.Matches {
			page.Entries = append(page.Entries, requestFromRow(r.RequestLog))
		}
		if r.IsLast && len(page.Entries) < q.AtMost {
			page.Stopped = requestlog.Position{At: r.At, RequestID: r.RequestID}
		}
	}
	return page, nil
}

type scannedRequest struct {
	sqlc.RequestLog
	Matches, IsLast bool
}

// logStatement returns the statement that reads the log. The statement is not in a .sql file, because its conditions
// depend on the filter.
func logStatement(q requestlog.Query, index string, atMost int) (sql string, args pgx.NamedArgs) {
	matches := []string{"true"}
	for _, t := range terms(q.Filter) {
		if t.set {
			matches = append(matches, t.sql)
		}
	}
	columns := strings.Join(logColumns, ", ")
	least, greatest := q.Filter.Statuses()
	return fmt.Sprintf(`SELECT %[1]s, matches, nth = @scan AS is_last FROM (
			SELECT %[1]s, %[2]s AS matches, row_number() OVER (ORDER BY at DESC, request_id DESC) AS nth FROM request_log
			WHERE %[3]s AND at >= @since AND at <= @before_at AND (at, request_id) < (@before_at, @before_id)
			ORDER BY at DESC, request_id DESC LIMIT @scan::bigint
		) scanned
		WHERE matches OR nth = @scan ORDER BY at DESC, request_id DESC LIMIT @at_most`, columns, strings.Join(matches, " AND "), index), pgx.NamedArgs{
			"account": q.AccountID, "since": q.Since, "before_at": q.After.At, "before_id": q.After.RequestID, "scan": atMost, "at_most": q.AtMost,
			"app": q.Filter.AppID, "key": storedKey(q.Filter), "least": least, "greatest": greatest,
			"code": q.Filter.ErrorCode, "resource": q.Filter.ResourceID, "method": q.Filter.Method, "route": q.Filter.Route,
		}
}

// storedKey returns the key as stored in the log. For tokens and links, the stored key is empty.
func storedKey(f requestlog.Filter) string {
	if f.APIKeyID == requestlog.Token {
		return ""
	}
	return f.APIKeyID
}

// copyEntries adds entries to the log.
func copyEntries(ctx context.Context, tx pgx.Tx, entries []requestlog.Entry) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{RequestLogTable}, logColumns, pgx.CopyFromSlice(len(entries), func(i int) ([]any, error) {
		e := &entries[i]
		return []any{
			e.At, e.RequestID, e.AccountID, e.AppID, e.APIKeyID, e.ConnectionID, e.Method, e.Route, e.Status, e.Latency.Microseconds(), e.Bytes, e.Metered,
			e.ErrorCode, e.ResourceID, e.ClientAddress, e.UserAgent, known(e.MinuteLeft), known(e.DayLeft), e.RefusedBy, e.ErrorMessage, e.OtherFaults,
		}, nil
	}))
	return err
}

// known returns the remaining budget, or nil if it is unknown.
func known(left int32) *int32 {
	if left == requestlog.Unknown {
		return nil
	}
	return &left
}

func requestFromRow(r sqlc.RequestLog) requestlog.Entry {
	e := requestlog.Entry{
		At: r.At, RequestID: r.RequestID, AccountID: r.AccountID, AppID: r.AppID, APIKeyID: r.ApiKeyID,
		ConnectionID: r.ConnectionID, Method: r.Method, Route: r.Route, Status: r.Status,
		Latency: time.Duration(r.LatencyUs) * time.Microsecond, Bytes: r.Bytes, Metered: r.Metered,
		ErrorCode: r.ErrorCode, ResourceID: r.ResourceID, ClientAddress: r.ClientAddress, UserAgent: r.UserAgent,
		MinuteLeft: requestlog.Unknown, DayLeft: requestlog.Unknown, RefusedBy: r.RefusedBy, ErrorMessage: r.ErrorMessage, OtherFaults: r.OtherFaults,
	}
	if r.MinuteLeft != nil {
		e.MinuteLeft = *r.MinuteLeft
	}
	if r.DayLeft != nil {
		e.DayLeft = *r.DayLeft
	}
	return e
}
