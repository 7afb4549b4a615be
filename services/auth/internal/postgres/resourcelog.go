package postgres

import (
	"context"
	"slices"
	"time"

	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/usage"
)

// addResource fills the page with requests of a resource from days whose facets are known.
// On a day in missing the kinds of requests are not indexed.
func (p *page) addResource(ctx context.Context, first time.Time, missing []time.Time) error {
	if err := p.addFew(ctx, first, missing); err != nil {
		return err
	}
	r, err := p.ofResource(ctx, first)
	if err != nil {
		return err
	}
	slices.SortFunc(missing, func(a, b time.Time) int { return b.Compare(a) })
	for _, day := range missing {
		for _, add := range []struct {
			from time.Time
			to   func(context.Context, time.Time) error
		}{
			{day.AddDate(0, 0, 1), func(ctx context.Context, from time.Time) error { return p.addParts(ctx, from, r) }},
			{day, p.addAll},
		} {
			if add.from.Before(first) {
				add.from = first
			}
			if err := add.to(ctx, add.from); err != nil {
				return err
			}
		}
	}
	return p.addParts(ctx, first, r)
}

// few is how many requests a resource has on a day that is read kind by kind. Most
// resources have less, and a step from kind to kind costs as much as ten requests.
const few = 2000

// addFew fills the page with requests of a resource that is the whole filter, down to a day
// on which it has more, or whose kinds are not indexed.
func (p *page) addFew(ctx context.Context, first time.Time, missing []time.Time) error {
	rest := p.q.Filter
	rest.ResourceID = ""
	if rest.ByFacet() {
		return nil
	}
	for _, day := range missing {
		if after := day.AddDate(0, 0, 1); after.After(first) {
			first = after
		}
	}
	for p.ahead(first) {
		before := usage.DayOf(until(p.q.After)).AddDate(0, 0, 1)
		since, err := p.GetTimeOfFew(ctx, sqlc.GetTimeOfFewParams{
			AccountID: p.q.AccountID, ResourceID: p.q.Filter.ResourceID,
			FromDay: usage.DayOf(first), BeforeDay: before, BeforeAt: until(p.q.After), AtLeast: int32(p.q.AtMost), Newer: int32(p.q.AtMost - 1), Few: few,
		})
		if err != nil || !since.Before(before) {
			return err
		}
		if since.Before(first) {
			since = first
		}
		found, err := p.ListRequestsOfResource(ctx, sqlc.ListRequestsOfResourceParams{
			AccountID: p.q.AccountID, ResourceID: p.q.Filter.ResourceID,
			Since: since, BeforeAt: p.q.After.At, BeforeID: p.q.After.RequestID, AtMost: int32(p.q.AtMost),
		})
		if err != nil {
			return err
		}
		rows := make([]sqlc.RequestLog, len(found))
		for i, row := range found {
			rows[i] = sqlc.RequestLog(row)
		}
		p.keep(rows)
		p.reach(since)
	}
	return nil
}

// ofResource is how the requests of the resource are read that match the rest of the
// filter. Which kinds those have is told by the facets of the account. Without a rest they
// have any kind.
func (p *page) ofResource(ctx context.Context, first time.Time) (reading, error) {
	f := p.q.Filter
	least, greatest := f.Statuses()
	others := f
	others.ResourceID = ""
	var wanted []int64
	if others.ByFacet() {
		var err error
		if wanted, err = p.ListKinds(ctx, sqlc.ListKindsParams{
			AccountID: p.q.AccountID, FromDay: usage.DayOf(first), AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f),
			FromStatus: least, ToStatus: greatest, ErrorCode: f.ErrorCode, Method: f.Method, Route: f.Route,
		}); err != nil {
			return reading{}, err
		}
	}
	list := func(ctx context.Context, q usage.Query, first time.Time, atLeast int) ([]part, error) {
		if others.ByFacet() && len(wanted) == 0 {
			return nil, nil
		}
		found, err := p.ListKindDays(ctx, sqlc.ListKindDaysParams{
			AccountID: q.AccountID, ResourceID: f.ResourceID, EveryKind: !others.ByFacet(), Wanted: wanted,
			FromDay: usage.DayOf(first), ToDay: usage.DayOf(until(q.After)), AtLeast: int32(atLeast),
		})
		parts := make([]part, len(found))
		for i, row := range found {
			parts[i] = part{row.Day, row.Kind}
		}
		return parts, err
	}
	rows := func(ctx context.Context, q usage.Query, parts []part, ofEach int) ([]sqlc.RequestLog, error) {
		days, kinds := apart(parts)
		found, err := p.ListRequestsOfKinds(ctx, sqlc.ListRequestsOfKindsParams{
			Days: days, Kinds: kinds, AccountID: q.AccountID, ResourceID: f.ResourceID,
			Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.RequestID,
			AppID: f.AppID, AnyKey: f.APIKeyID == "", ApiKeyID: storedKey(f), FromStatus: least, ToStatus: greatest,
			ErrorCode: f.ErrorCode, Method: f.Method, Route: f.Route,
			OfEach: int32(ofEach), AtMost: int32(q.AtMost),
		})
		requests := make([]sqlc.RequestLog, len(found))
		for i, row := range found {
			requests[i] = sqlc.RequestLog(row)
		}
		return requests, err
	}
	return reading{list, rows}, nil
}
