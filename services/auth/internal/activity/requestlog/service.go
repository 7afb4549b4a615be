// Package requestlog reads the log of an account's requests in the last 30 days
// (behaviour: usage). Package usage writes it.
//
// A filter uses a plain index, and the search for a page reads a limited number of entries
// (behaviour: usage#pages). Tracking which combinations of filters occur would find rare ones
// faster, but would add a write to every request.
package requestlog

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/services/auth/internal/platform/account"
)

// Store reads the log.
type Store interface {
	// Requests returns a page of the log.
	Requests(ctx context.Context, q Query) (Page, error)
	// Request finds a request by its id within a time range.
	Request(ctx context.Context, accountID, requestID string, from, to time.Time) (e Entry, found bool, err error)
	// AccountExists reports whether the account exists.
	AccountExists(ctx context.Context, id string) (bool, error)
}

// Service lists and finds requests.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService returns a Service. Both arguments are required.
func NewService(store Store, c clock.Clock) (*Service, error) {
	if store == nil || c == nil {
		return nil, errors.New("requestlog: a store and a clock are required")
	}
	return &Service{store: store, clock: c}, nil
}

// known returns nil if the account exists, and account.ErrNotFound otherwise. It distinguishes an account without
// requests from an unknown one.
func (s *Service) known(ctx context.Context, accountID string) error {
	exists, err := s.store.AccountExists(ctx, accountID)
	if err == nil && !exists {
		return account.ErrNotFound
	}
	return err
}
