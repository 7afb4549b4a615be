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
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/platform/account"
)

const (
	// usualDays is the number of days that are listed by default.
	usualDays = 30
	// maxDays is the maximum number of days that can be listed. It is a quarter of a year, which for an account with
	// many keys is a few megabytes.
	maxDays = 92
)

// Config configures a Service. All fields are required.
type Config struct {
	Store      Store
	Partitions Partitions
	Countries  Countries
	Clock      clock.Clock
	Log        *slog.Logger
}

// Countries looks up the country of an IP address. It returns an ISO 3166-1 alpha-2 code, or "" if the country is
// unknown.
type Countries interface{ Country(address string) string }

// Service stores and lists usage and the request log.
type Service struct {
	store      Store
	partitions Partitions
	countries  Countries
	clock      clock.Clock
	log        *slog.Logger
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Partitions == nil || c.Countries == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("usage: Store, Partitions, Countries, Clock and Log are required")
	}
	return &Service{store: c.Store, partitions: c.Partitions, countries: c.Countries, clock: c.Clock, log: c.Log}, nil
}

// Returns the number of requests charged to an account's daily quota, or zero for an unknown
// account.
func (s *Service) Spent(ctx context.Context, accountID string, day time.Time) (int64, error) {
	if !fault.IsStorable(accountID) {
		return 0, nil
	}
	return s.store.Spent(ctx, accountID, day)
}

// Record stores a batch once. It drops entries that are older than the log or later than tomorrow, so that a gateway
// with a wrong clock doesn't make the batch fail (behaviour: usage#late-entries). Errors: Invalid, with the names of
// all invalid fields.
func (s *Service) Record(ctx context.Context, b Batch) error {
	if err := checkBatch(b); err != nil {
		return err
	}
	now := s.clock.Now()
	first, end := oldest(now), requestlog.End(now)
	b.Entries = slices.DeleteFunc(b.Entries, func(e requestlog.Entry) bool {
		return e.At.Before(first) || !e.At.Before(end)
	})
	for i := range b.Entries {
		if e := &b.Entries[i]; reads(e) != "" {
			e.Country = s.countries.Country(e.ClientAddress)
		}
	}
	err := s.store.Apply(ctx, b, now)
	if !errors.Is(err, ErrNoPartition) {
		return err
	}
	// The partition may be missing because the job has not run yet after the service's start, or because the entries
	// date from before the first start.
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

// Listing selects the usage to list and how to group it.
type Listing struct {
	AccountID string
	// From and To are the first and the last day. If To is zero, it means today. If From is zero, it means the
	// default number of days.
	From, To time.Time
	// AppID and APIKeyID are filters, as in requestlog.Filter.
	AppID, APIKeyID string
	// ByApp and ByKey group the usage by app and by API key.
	ByApp, ByKey bool
}

// List returns usage, newest day first. Errors: account.ErrNotFound; Invalid, with the name of the field.
func (s *Service) List(ctx context.Context, l Listing) (counts []Count, err error) {
	if l.From, l.To, err = s.days(l.From, l.To, maxDays); err != nil {
		return nil, err
	}
	if !fault.IsStorable(l.AccountID) {
		return nil, account.ErrNotFound
	}
	if fault.IsStorable(l.AppID) && fault.IsStorable(l.APIKeyID) {
		counts, err = s.store.Usage(ctx, l)
	}
	if err != nil || len(counts) > 0 {
		return counts, err
	}
	return nil, s.known(ctx, l.AccountID)
}

// days applies the default range and rejects ranges longer than the given maximum number of days.
func (s *Service) days(from, to time.Time, most int) (first, last time.Time, err error) {
	if to.IsZero() {
		to = DayOf(s.clock.Now())
	}
	if from.IsZero() {
		from = to.Add(-(usualDays - 1) * day)
	}
	switch days := int(to.Sub(from)/day) + 1; {
	case days < 1:
		return from, to, fault.Of(fault.CodeArgument, "to_day", "must not be before the first day")
	case days > most:
		return from, to, fault.Of(fault.CodeArgument, "from_day", "is too early: at most %d days can be listed, including the first and the last", most)
	}
	return from, to, nil
}

// known returns nil if the account exists, and account.ErrNotFound otherwise. It distinguishes an account without
// usage from an unknown one.
func (s *Service) known(ctx context.Context, accountID string) error {
	exists, err := s.store.AccountExists(ctx, accountID)
	if err == nil && !exists {
		return account.ErrNotFound
	}
	return err
}

// checkBatch checks that the strings in a batch can be stored. Their lengths have already been checked against the
// limits in the .proto file.
func checkBatch(b Batch) error {
	faults := fault.Argument()
	checkStorable := func(value, list string, i int, field string) {
		if !fault.IsStorable(value) {
			faults.Text(fmt.Sprintf("%s[%d].%s", list, i, field), value, len(value))
		}
	}
	faults.Text("batch_id", b.ID, len(b.ID))
	for i, c := range b.Counts {
		if c.AppID == "" {
			faults.Add(fmt.Sprintf("counts[%d].usage.app_id", i), "is required")
		}
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
		checkStorable(e.ErrorCode, "entries", i, "error_code")
		checkStorable(e.ResourceID, "entries", i, "resource_id")
		checkStorable(e.ClientAddress, "entries", i, "client_address")
		checkStorable(e.UserAgent, "entries", i, "user_agent")
		checkStorable(e.RefusedBy, "entries", i, "refused_by")
		checkStorable(e.ErrorMessage, "entries", i, "error_message")
		checkStorable(e.OtherFaults, "entries", i, "other_faults")
	}
	return faults.Err()
}
