package postgres

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/usage"
)

const (
	// fewFacetDays is how many facets on days are looked up one by one in the requests of a
	// resource.
	fewFacetDays = 2000
	// rare is up to how many requests of a resource and a day are read whatever they are.
	rare = 100
	// manyDays is on how many days a page looks for requests of a resource that has many.
	// Where a filter and the resource never meet, each is looked through for nothing: thirty
	// of them, with six million requests, took 172 ms.
	manyDays = 8
)

// ofResource fills a page with requests of a resource until it has reached first. It looks
// up the facets that match if they are few. Otherwise it reads all that the resource has of
// each day, and where that is much, it steps from facet to facet. It does so on few days;
// then the next page goes on (behaviour: usage#pages).
func (s *Store) ofResource(ctx context.Context, p *page, first time.Time) error {
	if !p.ahead(first) {
		return nil
	}
	q := p.q
	q.Since, q.AtMost = first, p.q.AtMost-len(p.rows)
	others := q.Filter
	others.ResourceID = ""
	if others.ByFacet() {
		found, err := s.facetDays(ctx, q, fewFacetDays)
		if err != nil {
			return err
		}
		if len(found) < fewFacetDays {
			return s.ofFewFacets(ctx, p, first, found)
		}
	}
	var days []time.Time
	for day := usage.DayOf(first); !day.After(until(q.After)); day = day.AddDate(0, 0, 1) {
		days = append(days, day)
	}
	of, err := s.q.ListRequestsOfRareResource(ctx, sqlc.ListRequestsOfRareResourceParams{
		AccountID: q.AccountID, ResourceID: q.Filter.ResourceID, Days: days, OfDay: rare,
	})
	for many := 0; len(of) > 0 && err == nil && p.ahead(first); {
		day, n := usage.DayOf(of[0].At), 1
		for n < len(of) && usage.DayOf(of[n].At).Equal(day) {
			n++
		}
		whole := of[:n]
		read := s.ofDayOfResource
		if n < rare {
			read = func(_ context.Context, q usage.Query) ([]sqlc.RequestLog, error) { return pick(whole, q), nil }
		} else {
			many++
		}
		if p.stopped = many > manyDays; p.stopped {
			break
		}
		err, of = p.addDay(ctx, day, first, read), of[n:]
	}
	return err
}

// ofFewFacets looks up the facets of a filter, newest days first. Each time it looks at
// twice as many days as before, since most filters fill a page from the last day or two.
func (s *Store) ofFewFacets(ctx context.Context, p *page, first time.Time, found []sqlc.ListFacetDaysRow) error {
	for days := 1; len(found) > 0 && p.ahead(first); days *= 2 {
		from, n := found[0].Day.AddDate(0, 0, 1-days), 1
		for n < len(found) && !found[n].Day.Before(from) {
			n++
		}
		part := found[:n]
		if from.Before(first) {
			from = first
		}
		err := p.add(ctx, from, func(ctx context.Context, q usage.Query) ([]sqlc.RequestLog, error) {
			return s.ofResourceFacets(ctx, q, part)
		})
		if err != nil {
			return err
		}
		found = found[n:]
	}
	return nil
}

// pick gives the requests of a list that a query asks for.
func pick(list []sqlc.RequestLog, q usage.Query) (picked []sqlc.RequestLog) {
	for _, r := range list {
		before := r.At.Before(q.After.At) || r.At.Equal(q.After.At) && r.RequestID < q.After.RequestID
		if before && !r.At.Before(q.Since) && matches(q.Filter, r) && len(picked) < q.AtMost {
			picked = append(picked, r)
		}
	}
	return picked
}

func (s *Store) ofResourceFacets(ctx context.Context, q usage.Query, found []sqlc.ListFacetDaysRow) ([]sqlc.RequestLog, error) {
	p := sqlc.ListRequestsOfResourceFacetsParams{
		AccountID: q.AccountID, ResourceID: q.Filter.ResourceID, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.RequestID, AtMost: int32(q.AtMost),
	}
	for _, f := range found {
		p.Facets, p.Days = append(p.Facets, f.Facet), append(p.Days, f.Day)
	}
	return s.q.ListRequestsOfResourceFacets(ctx, p)
}

// ofDayOfResource reads requests of one resource and one day.
func (s *Store) ofDayOfResource(ctx context.Context, q usage.Query) ([]sqlc.RequestLog, error) {
	f := q.Filter
	least, greatest := f.Statuses()
	return s.planned.ListRequestsOfResource(ctx, sqlc.ListRequestsOfResourceParams{
		AccountID: q.AccountID, Since: q.Since, Until: until(q.After), BeforeAt: q.After.At, BeforeID: q.After.RequestID,
		AtMost: int32(q.AtMost), ResourceID: f.ResourceID,
		AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f), FromStatus: least, ToStatus: greatest,
		ErrorCode: f.ErrorCode, Method: f.Method, Route: f.Route,
	})
}
