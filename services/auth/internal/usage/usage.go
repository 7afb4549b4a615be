package usage

import (
	"context"
	"errors"
	"slices"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/developer"
)

const (
	// Retention is how far back the log goes (spec: Other constants).
	Retention = 30 * day
	// usualDays is how many days are listed when nothing else was asked for.
	usualDays = 30
	// maxDays bounds a list of usage: a quarter, which is some megabytes for an
	// account with many keys.
	maxDays = 92
	// usualPage and maxPage bound a page of the log.
	usualPage = 100
	maxPage   = 1000
)

// Usage takes in what the edge reports, and tells it.
type Usage struct {
	store  Store
	keeper *Keeper
	clock  clock.Clock
}

// New makes a Usage.
func New(store Store, keeper *Keeper, c clock.Clock) *Usage {
	return &Usage{store: store, keeper: keeper, clock: c}
}

// Spent gives how many requests were spent of an account's quota of a day.
func (u *Usage) Spent(ctx context.Context, accountID string, day time.Time) (int64, error) {
	return u.store.Spent(ctx, accountID, day)
}

// Record takes a batch in, once. An entry that is older than the log, or of a day
// after tomorrow, is left out: a clock that is wrong must not cost the batch.
func (u *Usage) Record(ctx context.Context, b Batch) error {
	now := u.clock.Now()
	first, end := oldest(now), DayOf(now).Add(2*day)
	b.Entries = slices.DeleteFunc(b.Entries, func(e Entry) bool {
		return e.At.Before(first) || !e.At.Before(end)
	})
	err := u.store.Apply(ctx, b, now)
	if !errors.Is(err, ErrNoPartition) {
		return err
	}
	// The service has just started and the keeper was not here yet, or entries come
	// from before the first start.
	earliest := now
	for _, e := range b.Entries {
		if e.At.Before(earliest) {
			earliest = e.At
		}
	}
	if err := u.keeper.makeFrom(ctx, DayOf(earliest)); err != nil {
		return err
	}
	return u.store.Apply(ctx, b, now)
}

// List gives the usage of an account from one day to another, both included; zero
// times for the days until today. Errors: ErrAccountNotFound; Invalid naming the
// field.
func (u *Usage) List(ctx context.Context, accountID string, from, to time.Time) ([]Count, error) {
	if to.IsZero() {
		to = DayOf(u.clock.Now())
	}
	if from.IsZero() {
		from = to.Add(-(usualDays - 1) * day)
	}
	switch days := to.Sub(from)/day + 1; {
	case days < 1:
		return nil, invalid("to_day", "must not be before from_day")
	case days > maxDays:
		return nil, invalid("from_day", "must be at most 91 days before to_day")
	}
	counts, err := u.store.Usage(ctx, accountID, from, to)
	if err != nil || len(counts) > 0 {
		return counts, err
	}
	return nil, u.known(ctx, accountID)
}

// Requests gives a page of an account's log, newest first, and where the next one
// begins; empty at the end. An empty appID asks for every app, an empty token for
// the first page. Errors: ErrAccountNotFound; Invalid naming page_token.
func (u *Usage) Requests(ctx context.Context, accountID, appID, token string, size int) ([]Entry, string, error) {
	if size == 0 {
		size = usualPage
	}
	after, err := position(token)
	if err != nil {
		return nil, "", err
	}
	page, err := u.store.Requests(ctx, Query{
		AccountID: accountID, AppID: appID, After: after,
		Since: u.clock.Now().Add(-Retention), AtMost: min(size, maxPage),
	})
	if err != nil {
		return nil, "", err
	}
	if len(page) == 0 {
		return nil, "", u.known(ctx, accountID)
	}
	if len(page) < min(size, maxPage) {
		return page, "", nil
	}
	last := page[len(page)-1]
	return page, Position{At: last.At, RequestID: last.RequestID}.token(), nil
}

// known tells an account without usage from none.
func (u *Usage) known(ctx context.Context, accountID string) error {
	exists, err := u.store.AccountExists(ctx, accountID)
	if err == nil && !exists {
		return developer.ErrAccountNotFound
	}
	return err
}

func invalid(field, rule string) error {
	return errs.New(errs.Invalid, "INVALID_ARGUMENT", "%s: %s", field, rule).WithField(field)
}
