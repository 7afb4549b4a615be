package requestlog

import (
	"context"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/platform/account"
)

const (
	// usualPage and maxPage are the default and maximum page sizes.
	usualPage = 100
	maxPage   = 1000
)

// ErrRequestNotFound is returned for a request that is not in the account's log.
var ErrRequestNotFound = errs.New(errs.NotFound, "REQUEST_NOT_FOUND", "There is no such request in the log of this account.")

// Found is a page of the log.
type Found struct {
	Entries []Entry
	// Next is the token of the next page, or "" at the end of the log.
	Next string
	// SearchedTo is set if the search stopped before the page was full (behaviour: usage#pages). The log has been
	// searched back to that time.
	SearchedTo time.Time
}

// Requests returns a page of an account's log, newest first. An empty token requests the first page. Errors:
// account.ErrNotFound; Invalid, if the page token is not valid or the filter's times are in the wrong order.
func (s *Service) Requests(ctx context.Context, accountID string, f Filter, token string, size int) (found Found, err error) {
	if size == 0 {
		size = usualPage
	}
	size = min(size, maxPage)
	q, err := s.query(accountID, f, token, size)
	if err != nil {
		return found, err
	}
	if !fault.IsStorable(accountID) {
		return found, account.ErrNotFound
	}
	var page Page
	if f.storable() && q.Since.Before(q.After.At) {
		if page, err = s.store.Requests(ctx, q); err != nil {
			return found, err
		}
	}
	found.Entries = page.Entries
	switch n := len(page.Entries); {
	case page.IsPartial():
		found.Next, found.SearchedTo = page.Stopped.token(), page.Stopped.At
	case n == size:
		found.Next = Position{At: page.Entries[n-1].At, RequestID: page.Entries[n-1].RequestID}.token()
	case n == 0:
		return found, s.known(ctx, accountID)
	}
	return found, nil
}

// query builds the query for a page from the filter, the end of the previous page, and the retention period of the
// log.
func (s *Service) query(accountID string, f Filter, token string, size int) (Query, error) {
	after, err := position(token)
	if err != nil {
		return Query{}, err
	}
	if !f.From.IsZero() && !f.To.IsZero() && f.To.Before(f.From) {
		return Query{}, fault.Of(fault.CodeArgument, "to", "must not be before from")
	}
	now := s.clock.Now()
	for _, end := range []time.Time{f.To, End(now)} {
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

// A request id contains its creation time, which is slightly earlier than the time of the log entry. The first range
// usually contains the entry. The second one covers gateways that were suspended between the two times.
var around = []struct{ before, after time.Duration }{{time.Second, time.Minute}, {time.Hour, time.Hour}}

// Request returns a request from an account's log. Errors: account.ErrNotFound, ErrRequestNotFound.
func (s *Service) Request(ctx context.Context, accountID, requestID string) (Entry, error) {
	if !fault.IsStorable(accountID) {
		return Entry{}, account.ErrNotFound
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
