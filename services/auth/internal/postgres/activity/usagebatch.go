package activity

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// beginUsage begins a transaction that uses generic plans. Custom plans would be the same, and planning would cost
// as much as writing a small batch.
var beginUsage = pgx.TxOptions{BeginQuery: "BEGIN; SET LOCAL plan_cache_mode = 'force_generic_plan'"}

// Apply implements usage.Store. It writes the entries first, because this locks nothing that another batch needs. It
// locks the rows that batches share as late as possible.
func (s *Usage) Apply(ctx context.Context, b usage.Batch, now time.Time) error {
	err := pgx.BeginTxFunc(ctx, s.DB.Pool, beginUsage, func(tx pgx.Tx) error {
		known, err := take(ctx, s.DB.Q.WithTx(tx), b, now)
		if err != nil || len(known) == 0 {
			return err
		}
		b.Counts = slices.DeleteFunc(slices.Clone(b.Counts), func(c usage.Count) bool { return !known[c.AccountID] })
		b.Entries = slices.DeleteFunc(slices.Clone(b.Entries), func(e requestlog.Entry) bool { return !known[e.AccountID] })
		if err := copyEntries(ctx, tx, b.Entries); err != nil {
			return err
		}
		var rows queue
		if err := addRows(ctx, sqlc.New(&rows), b, now); err != nil {
			return err
		}
		return tx.SendBatch(ctx, &rows.Batch).Close()
	})
	if db.HasCode(err, "23514") { // this is a check_violation, which only a missing partition of the log causes
		return usage.ErrNoPartition
	}
	return db.ErrorOf("apply usage", err, nil)
}

// queue collects statements that return no rows, so that they can be sent all at once.
type queue struct{ pgx.Batch }

func (q *queue) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	q.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

func (*queue) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, errQueued }

func (*queue) QueryRow(context.Context, string, ...any) pgx.Row { return unqueued{} }

var errQueued = errors.New("a queued statement has no result")

type unqueued struct{}

func (unqueued) Scan(...any) error { return errQueued }

// take marks a batch as applied, and returns those of its accounts that exist. If the batch has already been
// applied, it returns no accounts.
func take(ctx context.Context, q *sqlc.Queries, b usage.Batch, now time.Time) (known map[string]bool, err error) {
	named := map[string]bool{}
	for _, c := range b.Counts {
		named[c.AccountID] = true
	}
	for i := range b.Entries {
		named[b.Entries[i].AccountID] = true
	}
	p := sqlc.TakeUsageBatchParams{ID: b.ID, AppliedAt: now, AccountIds: make([]string, 0, len(named))}
	for id := range named {
		p.AccountIds = append(p.AccountIds, id)
	}
	found, err := q.TakeUsageBatch(ctx, p)
	known = make(map[string]bool, len(found))
	for _, account := range found {
		known[account] = true
	}
	return known, err
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

// addRows adds to the tables in the same order for every batch, so that concurrent batches don't deadlock.
func addRows(ctx context.Context, q *sqlc.Queries, b usage.Batch, now time.Time) error {
	s := usage.Summarize(b.Entries)
	if err := addApplicationReads(ctx, q, s.ApplicationReads); err != nil {
		return err
	}
	if err := addReads(ctx, q, s.Reads); err != nil {
		return err
	}
	if err := addReadCountries(ctx, q, s.ReadCountries); err != nil {
		return err
	}
	if err := addCounts(ctx, q, b.Counts); err != nil {
		return err
	}
	if err := noteKeyUses(ctx, q, b.KeyUses(now)); err != nil || len(b.Entries) == 0 {
		return err
	}
	if err := addRefusals(ctx, q, s.Refusals); err != nil {
		return err
	}
	if err := addMinutes(ctx, q, s.Minutes); err != nil {
		return err
	}
	return addLatencies(ctx, q, s.Latencies)
}

func addReads(ctx context.Context, q *sqlc.Queries, days []usage.ReadDay) error {
	if len(days) == 0 {
		return nil
	}
	var p sqlc.AddConnectionReadsParams
	for _, r := range days {
		p.ConnectionIds = append(p.ConnectionIds, r.ConnectionID)
		p.Days = append(p.Days, r.Day)
		p.Kinds = append(p.Kinds, string(r.Kind))
		p.Reads = append(p.Reads, r.Reads)
		p.LastAts = append(p.LastAts, r.Latest)
	}
	return q.AddConnectionReads(ctx, p)
}

func addReadCountries(ctx context.Context, q *sqlc.Queries, days []usage.ReadCountry) error {
	if len(days) == 0 {
		return nil
	}
	var p sqlc.AddConnectionReadCountriesParams
	for _, r := range days {
		p.ConnectionIds = append(p.ConnectionIds, r.ConnectionID)
		p.Days = append(p.Days, r.Day)
		p.Kinds = append(p.Kinds, string(r.Kind))
		p.Countries = append(p.Countries, r.Country)
		p.Reads = append(p.Reads, r.Reads)
	}
	return q.AddConnectionReadCountries(ctx, p)
}

func addRefusals(ctx context.Context, q *sqlc.Queries, days []usage.RefusalDay) error {
	if len(days) == 0 {
		return nil
	}
	var p sqlc.AddRefusalsParams
	for _, r := range days {
		p.AccountIds = append(p.AccountIds, r.AccountID)
		p.Days = append(p.Days, r.Day)
		p.RefusedBy = append(p.RefusedBy, r.Limit)
		p.Requests = append(p.Requests, r.Requests)
	}
	return q.AddRefusals(ctx, p)
}

func addMinutes(ctx context.Context, q *sqlc.Queries, minutes []usage.KeyMinute) error {
	var p sqlc.AddUsageMinutesParams
	for _, m := range minutes {
		p.AccountIds = append(p.AccountIds, m.AccountID)
		p.Minutes = append(p.Minutes, m.At)
		p.AppIds = append(p.AppIds, m.AppID)
		p.ApiKeyIds = append(p.ApiKeyIds, m.APIKeyID)
		p.Requests = append(p.Requests, m.Requests)
		p.Metered = append(p.Metered, m.Metered)
		p.Refused = append(p.Refused, m.Refused)
	}
	return q.AddUsageMinutes(ctx, p)
}

func addLatencies(ctx context.Context, q *sqlc.Queries, latencies []usage.DayLatencies) error {
	var p sqlc.AddRouteLatenciesParams
	for _, l := range latencies {
		p.AccountIds = append(p.AccountIds, l.AccountID)
		p.Days = append(p.Days, l.Day)
		p.Methods = append(p.Methods, l.Method)
		p.Routes = append(p.Routes, l.Route)
		p.Buckets = append(p.Buckets, int16(l.Bucket))
		p.Requests = append(p.Requests, l.Requests)
		p.Failed = append(p.Failed, l.Failed)
		p.ServerFailed = append(p.ServerFailed, l.ServerFailed)
	}
	return q.AddRouteLatencies(ctx, p)
}
