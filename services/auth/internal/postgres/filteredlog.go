package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/usage"
)

// beginReading begins a transaction whose statements go by plans that are made once. Planning
// for all partitions takes longer than reading a page, and finds the same plans. Such a plan
// costs as much as all partitions, of which a page reads a few places, so Postgres must not take
// the cost for a reason to compile it.
var beginReading = pgx.TxOptions{BeginQuery: "BEGIN READ ONLY; SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL jit = off"}

// filtered gives a page of what a filter leaves of the log. It is put together from the
// newest part of the log on, until it is full.
func (s *Store) filtered(ctx context.Context, q usage.Query) (rows []sqlc.RequestLog, err error) {
	err = pgx.BeginTxFunc(ctx, s.pool, beginReading, func(tx pgx.Tx) error {
		p := page{Queries: s.q.WithTx(tx), q: q}
		err := p.fill(ctx)
		rows = p.rows
		return err
	})
	return rows, err
}

// page is what was found of a page so far.
type page struct {
	*sqlc.Queries
	// q asks for what is still to be found: from q.After on, which is the place that was
	// reached.
	q    usage.Query
	rows []sqlc.RequestLog
}

func (p *page) full() bool { return p.q.AtMost == 0 }

// ahead reports whether a part of the log from a time on is still to be read.
func (p *page) ahead(from time.Time) bool { return !p.full() && !from.After(until(p.q.After)) }

// until is the last time that a request before a position can have.
func until(p usage.Position) time.Time {
	if p.RequestID == "" {
		return p.At.Add(-time.Microsecond)
	}
	return p.At
}

// keep adds requests to the page. They are the next that match.
func (p *page) keep(found []sqlc.RequestLog) {
	if n := len(found); n > 0 {
		p.rows, p.q.AtMost = append(p.rows, found...), p.q.AtMost-n
		p.q.After = usage.Position{At: found[n-1].At, RequestID: found[n-1].RequestID}
	}
}

// reach notes that the log was read down to a time, unless the page is full before that.
func (p *page) reach(at time.Time) {
	if p.ahead(at) {
		p.q.After = usage.Position{At: at}
	}
}

// fill reads the newest requests, then days whose facets are known, then those from before
// there were facets. Days whose resources cannot be found by kind are read whole.
func (p *page) fill(ctx context.Context) error {
	if err := p.addNewest(ctx); err != nil || !p.ahead(p.q.Since) {
		return err
	}
	known, err := p.GetLogIndexes(ctx)
	if err != nil {
		return err
	}
	first := known.FacetsSince
	if first.Before(p.q.Since) {
		first = p.q.Since
	}
	if p.q.Filter.ResourceID == "" {
		err = p.addFacets(ctx, first)
	} else {
		err = p.addResource(ctx, first, known.KindsMissing)
	}
	if err != nil {
		return err
	}
	return p.addAll(ctx, p.q.Since)
}

// newest is how many requests are read before facets are looked at. A filter that a
// twentieth of them match fills a usual page from these. If up to three times as many more
// are likely to fill it, they are read too: that costs less than to look facets up.
const newest = 1000

// addNewest reads the newest requests of the account and keeps those that match.
func (p *page) addNewest(ctx context.Context) error {
	room := p.q.AtMost
	for read, next := 0, newest; read+next <= 4*newest; {
		if err := p.addNext(ctx, next); err != nil || p.full() || len(p.rows) == 0 {
			return err
		}
		read += next
		// A quarter more than it takes if they go on as they began.
		next = max(read*(room-len(p.rows))/len(p.rows)*5/4, newest/10)
	}
	return nil
}

// addNext reads the next requests of the account, up to so many, and keeps those that match.
func (p *page) addNext(ctx context.Context, atMost int) error {
	q, f := p.q, p.q.Filter
	least, greatest := f.Statuses()
	found, err := p.ListNewestRequests(ctx, sqlc.ListNewestRequestsParams{
		AccountID: q.AccountID, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.RequestID, Newest: int32(atMost), AtMost: int32(q.AtMost),
		AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f), FromStatus: least, ToStatus: greatest,
		ErrorCode: f.ErrorCode, Method: f.Method, Route: f.Route, ResourceID: f.ResourceID,
	})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		p.reach(q.Since) // the log is at its end
		return nil
	}
	last := usage.Position{At: found[len(found)-1].At, RequestID: found[len(found)-1].RequestID}
	found = slices.DeleteFunc(found, func(r sqlc.RequestLog) bool { return !matches(f, r) })
	if p.keep(found); !p.full() {
		p.q.After = last
	}
	return nil
}

// matches is the condition of the queries.
func matches(f usage.Filter, r sqlc.RequestLog) bool {
	least, greatest := f.Statuses()
	return (f.AppID == "" || f.AppID == r.AppID) && (f.APIKeyID == "" || storedKey(f) == r.ApiKeyID) &&
		least <= r.Status && r.Status <= greatest && (f.ErrorCode == "" || f.ErrorCode == r.ErrorCode) &&
		(f.Method == "" || f.Method == r.Method) && (f.Route == "" || f.Route == r.Route) &&
		(f.ResourceID == "" || f.ResourceID == r.ResourceID)
}

// addAll reads all requests of the account from a time on and leaves out those that do not
// match.
func (p *page) addAll(ctx context.Context, from time.Time) error {
	if !p.ahead(from) {
		return nil
	}
	q, f := p.q, p.q.Filter
	least, greatest := f.Statuses()
	found, err := p.ListRequestsByScan(ctx, sqlc.ListRequestsByScanParams{
		AccountID: q.AccountID, Since: from, BeforeAt: q.After.At, BeforeID: q.After.RequestID, AtMost: int32(q.AtMost),
		AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f), FromStatus: least, ToStatus: greatest,
		ErrorCode: f.ErrorCode, Method: f.Method, Route: f.Route, ResourceID: f.ResourceID,
	})
	rows := make([]sqlc.RequestLog, len(found))
	for i, row := range found {
		rows[i] = row.RequestLog
	}
	p.keep(rows)
	p.reach(from)
	return err
}

// storedKey is the key as rows have it: theirs is empty for tokens and links.
func storedKey(f usage.Filter) string {
	if f.APIKeyID == usage.Token {
		return ""
	}
	return f.APIKeyID
}
