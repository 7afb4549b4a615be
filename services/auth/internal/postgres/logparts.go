package postgres

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/usage"
)

// part is what a day of the log has of a facet, or of a kind of requests of a resource. An
// index holds each part in the order of its times.
type part struct {
	day    time.Time
	number int64
}

// reading is how parts are listed and read.
type reading struct {
	// list gives the parts that match of the newest days from the first on, newest day first
	// and of each day all or none, until there are as many as atLeast.
	list func(ctx context.Context, q usage.Query, first time.Time, atLeast int) ([]part, error)
	// rows gives the newest requests of parts, and reads up to ofEach of each. They end where
	// a part may have more.
	rows func(ctx context.Context, q usage.Query, parts []part, ofEach int) ([]sqlc.RequestLog, error)
}

// addParts fills the page from the log's days from a time on. Each part that is listed has
// a request, except in the days at both ends of what is asked for. So as many parts as the
// page has room for nearly always fill it, and their number bounds what a page reads,
// however long the log is (behaviour: usage#pages).
func (p *page) addParts(ctx context.Context, from time.Time, r reading) error {
	for p.ahead(from) {
		atLeast := p.q.AtMost
		parts, err := r.list(ctx, p.q, from, atLeast)
		if err != nil {
			return err
		}
		reached := from
		if n := len(parts); n >= atLeast && parts[n-1].day.After(from) {
			reached = parts[n-1].day
		}
		for len(parts) > 0 && !p.full() {
			n := together(parts, p.q.AtMost/4)
			if err := p.merge(ctx, from, parts[:n], r); err != nil {
				return err
			}
			parts = parts[n:]
		}
		p.reach(reached)
	}
	return nil
}

// together is how many parts are read together: those of whole days, and not many more than
// atLeast.
func together(parts []part, atLeast int) int {
	n := min(max(atLeast, 1), len(parts))
	for n < len(parts) && parts[n].day.Equal(parts[n-1].day) {
		n++
	}
	return n
}

// merge adds the requests of parts, the newest first. It reads a few of each part, which are
// a page together if the parts are alike. What is newer than the last of those that were read of
// each part is complete. If it is not enough, more of each are read.
func (p *page) merge(ctx context.Context, from time.Time, parts []part, r reading) error {
	for ofEach := 2 + 4*p.q.AtMost/len(parts); !p.full(); ofEach *= 2 {
		q := p.q
		q.Since, ofEach = from, min(ofEach, q.AtMost)
		found, err := r.rows(ctx, q, parts, ofEach)
		if err != nil {
			return err
		}
		p.keep(found)
		if len(found) < ofEach { // so none of the parts has more
			return nil
		}
	}
	return nil
}

// probes is how many facets on days are asked for at once, at least.
const probes = 1000

// addFacets fills the page from days whose facets are known. It looks at ever more days at
// once, since most filters fill a page from the last day or two, and at many if few facets
// match.
func (p *page) addFacets(ctx context.Context, first time.Time) error {
	if !p.ahead(first) {
		return nil
	}
	f := p.q.Filter
	least, greatest := f.Statuses()
	facets, err := p.ListFacets(ctx, sqlc.ListFacetsParams{
		AccountID: p.q.AccountID, FromDay: usage.DayOf(first), AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f),
		FromStatus: least, ToStatus: greatest, ErrorCode: f.ErrorCode, Method: f.Method, Route: f.Route,
	})
	if err != nil {
		return err
	}
	if len(facets) == 0 {
		p.reach(first)
		return nil
	}
	r := reading{list: p.facetDays(facets), rows: p.ofFacets}
	for days := 1 + probes/len(facets); p.ahead(first); days *= 4 {
		from := usage.DayOf(until(p.q.After)).AddDate(0, 0, 1-days)
		if from.Before(first) {
			from = first
		}
		if err := p.addParts(ctx, from, r); err != nil {
			return err
		}
	}
	return nil
}

// facetDays lists the days of facets.
func (p *page) facetDays(facets []int64) func(context.Context, usage.Query, time.Time, int) ([]part, error) {
	return func(ctx context.Context, q usage.Query, first time.Time, atLeast int) ([]part, error) {
		found, err := p.ListFacetDays(ctx, sqlc.ListFacetDaysParams{
			Facets: facets, Since: first, Until: until(q.After),
			FromDay: usage.DayOf(first), ToDay: usage.DayOf(until(q.After)), AtLeast: int32(atLeast),
		})
		parts := make([]part, len(found))
		for i, row := range found {
			parts[i] = part{row.Day, row.Facet}
		}
		return parts, err
	}
}

func (p *page) ofFacets(ctx context.Context, q usage.Query, parts []part, ofEach int) ([]sqlc.RequestLog, error) {
	days, facets := apart(parts)
	found, err := p.ListRequestsOfFacets(ctx, sqlc.ListRequestsOfFacetsParams{
		Days: days, Facets: facets, AccountID: q.AccountID, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.RequestID,
		OfEach: int32(ofEach), AtMost: int32(q.AtMost),
	})
	rows := make([]sqlc.RequestLog, len(found))
	for i, row := range found {
		rows[i] = sqlc.RequestLog(row)
	}
	return rows, err
}

// apart gives parts as the columns of a statement.
func apart(parts []part) (days []time.Time, numbers []int64) {
	for _, p := range parts {
		days, numbers = append(days, p.day), append(numbers, p.number)
	}
	return days, numbers
}
