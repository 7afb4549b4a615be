package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/usage"
)

// filtered gives a page of what a filter leaves of the log. It is put together from the
// newest part of the log on, until it is full: days whose facets are known, then those
// from before there were facets.
func (s *Store) filtered(ctx context.Context, q usage.Query) (page, error) {
	p := page{q: q}
	first, err := s.facetsSince(ctx)
	if err != nil {
		return p, err
	}
	if q.Since.After(first) {
		first = q.Since
	}
	if err := p.addNewest(ctx, s); err != nil {
		return p, err
	}
	if q.Filter.ResourceID != "" {
		err = s.ofResource(ctx, &p, first)
	} else {
		err = s.ofSpans(ctx, &p, first)
	}
	if err != nil || p.stopped {
		return p, err
	}
	if first.Before(p.q.After.At) {
		p.q.After = usage.Position{At: first}
	}
	err = p.add(ctx, q.Since, s.byScan)
	return p, err
}

// newest is how many requests are read before facets are looked at. A filter that a tenth of
// them match fills a usual page from these.
const newest = 1000

// addNewest reads the newest requests of the account and keeps those that match.
func (p *page) addNewest(ctx context.Context, s *Store) error {
	q := p.q
	q.Filter, q.AtMost = usage.Filter{}, newest
	found, err := s.unfiltered(ctx, q)
	for _, r := range found {
		p.q.After = usage.Position{At: r.At, RequestID: r.RequestID}
		if matches(p.q.Filter, r) {
			if p.rows = append(p.rows, r); p.full() {
				break
			}
		}
	}
	if len(found) < newest && !p.full() {
		p.q.After = usage.Position{At: p.q.Since} // there are no more
	}
	return err
}

// matches is the condition of the queries.
func matches(f usage.Filter, r sqlc.RequestLog) bool {
	least, greatest := f.Statuses()
	return (f.AppID == "" || f.AppID == r.AppID) && (f.APIKeyID == "" || storedKey(f) == r.ApiKeyID) &&
		least <= r.Status && r.Status <= greatest && (f.ErrorCode == "" || f.ErrorCode == r.ErrorCode) &&
		(f.Method == "" || f.Method == r.Method) && (f.Route == "" || f.Route == r.Route) &&
		(f.ResourceID == "" || f.ResourceID == r.ResourceID)
}

// ofSpans fills a page until it has reached first. Each span is twice as long as the one
// before, since most filters fill a page from the last day or two.
func (s *Store) ofSpans(ctx context.Context, p *page, first time.Time) error {
	from, days := usage.DayOf(p.q.After.At), 1
	for ; p.ahead(first); days *= 2 {
		if from.Before(first) {
			from = first
		}
		if err := p.add(ctx, from, s.ofFacets); err != nil {
			return err
		}
		from = from.AddDate(0, 0, -days)
	}
	return nil
}

// page is what was found of a page so far.
type page struct {
	q    usage.Query
	rows []sqlc.RequestLog
	// stopped is true if the search has ended before the page was full or the log at an end.
	// It goes on at q.After.
	stopped bool
}

func (p *page) full() bool { return len(p.rows) == p.q.AtMost }

// ahead reports whether a part of the log from a time on is still to be read.
func (p *page) ahead(first time.Time) bool { return !p.full() && first.Before(p.q.After.At) }

// add reads the part of the log from a time to the place that was reached, unless the page
// is full or the part is empty.
func (p *page) add(ctx context.Context, from time.Time, read func(context.Context, usage.Query) ([]sqlc.RequestLog, error)) error {
	q := p.q
	q.Since, q.AtMost = from, p.q.AtMost-len(p.rows)
	if !p.ahead(from) {
		return nil
	}
	found, err := read(ctx, q)
	p.rows, p.q.After = append(p.rows, found...), usage.Position{At: from}
	return err
}

// addDay is add for what a day has from first on.
func (p *page) addDay(ctx context.Context, day, first time.Time, read func(context.Context, usage.Query) ([]sqlc.RequestLog, error)) error {
	if next := day.AddDate(0, 0, 1); next.Before(p.q.After.At) {
		p.q.After = usage.Position{At: next}
	}
	if day.Before(first) {
		day = first
	}
	return p.add(ctx, day, read)
}

// facetDays are the days of the facets that match a filter, newest first.
func (s *Store) facetDays(ctx context.Context, q usage.Query, atMost int) ([]sqlc.ListFacetDaysRow, error) {
	f := q.Filter
	least, greatest := f.Statuses()
	return s.q.ListFacetDays(ctx, sqlc.ListFacetDaysParams{
		AccountID: q.AccountID, Since: q.Since, BeforeAt: q.After.At,
		FromDay: usage.DayOf(q.Since), ToDay: usage.DayOf(q.After.At), AtMost: int32(atMost),
		AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f), FromStatus: least, ToStatus: greatest,
		ErrorCode: f.ErrorCode, Method: f.Method, Route: f.Route,
	})
}

// ofFacets finds the facets that match, and reads their requests. Each facet gives a request
// at least, except one whose only request was the last of the page before. Then more of them
// are asked for.
func (s *Store) ofFacets(ctx context.Context, q usage.Query) ([]sqlc.RequestLog, error) {
	for atMost := q.AtMost; ; atMost *= 2 {
		found, err := s.facetDays(ctx, q, atMost)
		if err != nil {
			return nil, err
		}
		rows, err := s.ofFacetDays(ctx, q, found)
		if err != nil || len(rows) == q.AtMost || len(found) < atMost {
			return rows, err
		}
	}
}

// ofFacetDays reads the requests of facets day by day.
func (s *Store) ofFacetDays(ctx context.Context, q usage.Query, found []sqlc.ListFacetDaysRow) (_ []sqlc.RequestLog, err error) {
	p := page{q: q}
	// As many requests as the page takes are as new as the facet at its end, if none of
	// theirs lies beyond the place where the page begins.
	if n := q.AtMost; len(found) >= n && found[0].LastAt.Before(q.After.At) {
		p.q.Since = found[n-1].LastAt
	}
	for len(found) > 0 && err == nil && !p.full() {
		day := found[0].Day // the newest that is left
		var facets []int64
		for len(found) > 0 && found[0].Day.Equal(day) {
			facets, found = append(facets, found[0].Facet), found[1:]
		}
		err = p.addDay(ctx, day, p.q.Since, func(ctx context.Context, q usage.Query) ([]sqlc.RequestLog, error) {
			return s.planned.ListRequestsOfFacets(ctx, sqlc.ListRequestsOfFacetsParams{
				Facets: facets, AccountID: q.AccountID, Since: q.Since, Until: until(q.After),
				BeforeAt: q.After.At, BeforeID: q.After.RequestID, AtMost: int32(q.AtMost),
			})
		})
	}
	return p.rows, err
}

// until is the last time that a request before a position can have.
func until(p usage.Position) time.Time {
	if p.RequestID == "" {
		return p.At.Add(-time.Microsecond)
	}
	return p.At
}

// byScan reads all requests of the account and leaves out those that do not match.
func (s *Store) byScan(ctx context.Context, q usage.Query) ([]sqlc.RequestLog, error) {
	f := q.Filter
	least, greatest := f.Statuses()
	found, err := s.q.ListRequestsByScan(ctx, sqlc.ListRequestsByScanParams{
		AccountID: q.AccountID, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.RequestID, AtMost: int32(q.AtMost),
		AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f), FromStatus: least, ToStatus: greatest,
		ErrorCode: f.ErrorCode, Method: f.Method, Route: f.Route, ResourceID: f.ResourceID,
	})
	rows := make([]sqlc.RequestLog, len(found))
	for i, row := range found {
		rows[i] = row.RequestLog
	}
	return rows, err
}

// storedKey is the key as rows have it: theirs is empty for tokens and links.
func storedKey(f usage.Filter) string {
	if f.APIKeyID == usage.Token {
		return ""
	}
	return f.APIKeyID
}

// planner has Postgres plan a statement at each call for the values of that call. With a
// plan for any values, Postgres reads over the partitions of all days, and opens each.
type planner struct{ *pgxpool.Pool }

// Query implements sqlc.DBTX.
func (p planner) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return p.Pool.Query(ctx, sql, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}
