package usage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/developer"
)

const (
	// Retention is how long the log holds a request (behaviour: usage#retention).
	Retention = 30 * day
	// usualDays is how many days are listed if the caller names none.
	usualDays = 30
	// maxDays bounds a list of usage. It is a quarter, which makes some megabytes for an
	// account with many keys.
	maxDays = 92
	// usualPage and maxPage bound a page of the log.
	usualPage = 100
	maxPage   = 1000
)

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store      Store
	Partitions Partitions
	Clock      clock.Clock
	Log        *slog.Logger
}

// Service stores and lists usage and the log.
type Service struct {
	store      Store
	partitions Partitions
	clock      clock.Clock
	log        *slog.Logger
}

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Partitions == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("usage: Store, Partitions, Clock and Log are required")
	}
	return &Service{store: c.Store, partitions: c.Partitions, clock: c.Clock, log: c.Log}, nil
}

// Spent gives how many requests of its daily quota an account has spent; zero for an
// unknown account.
func (s *Service) Spent(ctx context.Context, accountID string, day time.Time) (int64, error) {
	if !fault.IsStorable(accountID) {
		return 0, nil
	}
	return s.store.Spent(ctx, accountID, day)
}

// Record stores a batch once. It leaves out entries that are older than the log or of a
// day after tomorrow, so that one wrong clock does not cost the batch (behaviour: usage#late-entries).
// Errors: Invalid with every faulty field.
func (s *Service) Record(ctx context.Context, b Batch) error {
	if err := checkBatch(b); err != nil {
		return err
	}
	now := s.clock.Now()
	first, end := oldest(now), DayOf(now).Add(2*day)
	b.Entries = slices.DeleteFunc(b.Entries, func(e Entry) bool {
		return e.At.Before(first) || !e.At.Before(end)
	})
	err := s.store.Apply(ctx, b, now)
	if !errors.Is(err, ErrNoPartition) {
		return err
	}
	// The service has just started and the job has not run yet, or entries are from
	// before the first start.
	earliest := now
	for _, e := range b.Entries {
		if e.At.Before(earliest) {
			earliest = e.At
		}
	}
	if err := s.makeFrom(ctx, DayOf(earliest)); err != nil {
		return err
	}
	return s.store.Apply(ctx, b, now)
}

// List gives the usage of an account from one day to another, both included. A zero to
// means today, a zero from the usual number of days. Errors: ErrAccountNotFound; Invalid naming the
// field.
func (s *Service) List(ctx context.Context, accountID string, from, to time.Time) ([]Count, error) {
	if to.IsZero() {
		to = DayOf(s.clock.Now())
	}
	if from.IsZero() {
		from = to.Add(-(usualDays - 1) * day)
	}
	switch days := to.Sub(from)/day + 1; {
	case days < 1:
		return nil, fault.Of(fault.CodeArgument, "to_day", "must not be before from_day")
	case days > maxDays:
		return nil, fault.Of(fault.CodeArgument, "from_day", "must be at most 91 days before to_day")
	}
	if !fault.IsStorable(accountID) {
		return nil, developer.ErrAccountNotFound
	}
	counts, err := s.store.Usage(ctx, accountID, from, to)
	if err != nil || len(counts) > 0 {
		return counts, err
	}
	return nil, s.known(ctx, accountID)
}

// Requests gives a page of an account's log, newest first, and the token of the next
// page, which is empty at the end. An empty appID asks for every app, an empty token for
// the first page. Errors: ErrAccountNotFound; Invalid naming page_token.
func (s *Service) Requests(ctx context.Context, accountID, appID, token string, size int) ([]Entry, string, error) {
	if size == 0 {
		size = usualPage
	}
	after, err := position(token)
	if err != nil {
		return nil, "", err
	}
	if !fault.IsStorable(accountID) {
		return nil, "", developer.ErrAccountNotFound
	}
	if !fault.IsStorable(appID) {
		return nil, "", s.known(ctx, accountID)
	}
	page, err := s.store.Requests(ctx, Query{
		AccountID: accountID, AppID: appID, After: after,
		Since: s.clock.Now().Add(-Retention), AtMost: min(size, maxPage),
	})
	if err != nil {
		return nil, "", err
	}
	if len(page) == 0 {
		return nil, "", s.known(ctx, accountID)
	}
	if len(page) < min(size, maxPage) {
		return page, "", nil
	}
	last := page[len(page)-1]
	return page, Position{At: last.At, RequestID: last.RequestID}.token(), nil
}

// known gives ErrAccountNotFound for an unknown account, nil for one without usage.
func (s *Service) known(ctx context.Context, accountID string) error {
	exists, err := s.store.AccountExists(ctx, accountID)
	if err == nil && !exists {
		return developer.ErrAccountNotFound
	}
	return err
}

// checkBatch checks that the texts of a batch can be stored. The contract bounds their
// lengths.
func checkBatch(b Batch) error {
	faults := fault.Argument()
	checkStorable := func(value, list string, i int, field string) {
		if !fault.IsStorable(value) {
			faults.Text(fmt.Sprintf("%s[%d].%s", list, i, field), value, len(value))
		}
	}
	faults.Text("batch_id", b.ID, len(b.ID))
	for i, c := range b.Counts {
		checkStorable(c.AccountID, "counts", i, "account_id")
		checkStorable(c.AppID, "counts", i, "usage.app_id")
		checkStorable(c.APIKeyID, "counts", i, "usage.api_key_id")
	}
	for i, e := range b.Entries {
		checkStorable(e.RequestID, "entries", i, "request_id")
		checkStorable(e.AccountID, "entries", i, "account_id")
		checkStorable(e.AppID, "entries", i, "app_id")
		checkStorable(e.APIKeyID, "entries", i, "api_key_id")
		checkStorable(e.ConnectionID, "entries", i, "connection_id")
		checkStorable(e.Method, "entries", i, "method")
		checkStorable(e.Route, "entries", i, "route")
	}
	return faults.Err()
}
