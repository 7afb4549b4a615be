package usage

import (
	"context"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/developer"
)

const (
	// usualPage and maxPage bound a page of the log.
	usualPage = 100
	maxPage   = 1000
)

// ErrRequestNotFound is for a request that the account's log does not hold.
var ErrRequestNotFound = errs.New(errs.NotFound, "REQUEST_NOT_FOUND", "There is no such request in the log of this account.")

// Requests gives a page of an account's log, newest first, and the token of the next
// page, which is empty at the end. An empty token asks for the first page. A page before
// the end is full (behaviour: usage#pages).
// Errors: ErrAccountNotFound; Invalid naming page_token or to.
func (s *Service) Requests(ctx context.Context, accountID string, f Filter, token string, size int) ([]Entry, string, error) {
	if size == 0 {
		size = usualPage
	}
	size = min(size, maxPage)
	q, err := s.query(accountID, f, token, size)
	if err != nil {
		return nil, "", err
	}
	if !fault.IsStorable(accountID) {
		return nil, "", developer.ErrAccountNotFound
	}
	var page []Entry
	if f.storable() && q.Since.Before(q.After.At) {
		if page, err = s.store.Requests(ctx, q); err != nil {
			return nil, "", err
		}
	}
	if len(page) == 0 {
		return nil, "", s.known(ctx, accountID)
	}
	if len(page) < size {
		return page, "", nil
	}
	last := page[len(page)-1]
	return page, Position{At: last.At, RequestID: last.RequestID}.token(), nil
}

// query bounds what a page may hold: the filter's times, the place where the page before
// ended, and the days of which the log can hold anything.
func (s *Service) query(accountID string, f Filter, token string, size int) (Query, error) {
	after, err := position(token)
	if err != nil {
		return Query{}, err
	}
	if !f.From.IsZero() && !f.To.IsZero() && f.To.Before(f.From) {
		return Query{}, fault.Of(fault.CodeArgument, "to", "must not be before from")
	}
	now := s.clock.Now()
	for _, end := range []time.Time{f.To, ends(now)} {
		if !end.IsZero() && end.Before(after.At) {
			after = Position{At: end}
		}
	}
	since := now.Add(-Retention)
	if f.From.After(since) {
		since = f.From
	}
	return Query{AccountID: accountID, Filter: f, Since: since, After: after, AtMost: size}, nil
}

// A request's id holds the time at which it was made, a moment before the time of the
// entry. The first range is read first. A gateway that was halted in between is why there
// is a second.
var around = []struct{ before, after time.Duration }{{time.Second, time.Minute}, {time.Hour, time.Hour}}

// Request gives one request of an account's log. Errors: ErrAccountNotFound,
// ErrRequestNotFound.
func (s *Service) Request(ctx context.Context, accountID, requestID string) (Entry, error) {
	if !fault.IsStorable(accountID) {
		return Entry{}, developer.ErrAccountNotFound
	}
	made, ok := id.MadeAt("req", requestID)
	oldest := s.clock.Now().Add(-Retention)
	for _, w := range around {
		if !ok {
			break
		}
		from, to := made.Add(-w.before), made.Add(w.after)
		if from.Before(oldest) {
			from = oldest
		}
		e, found, err := s.store.Request(ctx, accountID, requestID, from, to)
		if err != nil || found {
			return e, err
		}
	}
	if err := s.known(ctx, accountID); err != nil {
		return Entry{}, err
	}
	return Entry{}, ErrRequestNotFound
}
