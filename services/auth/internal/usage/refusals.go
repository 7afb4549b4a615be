package usage

import (
	"context"
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/developer"
)

// Refusals is how many requests of a day a limit has refused.
type Refusals struct {
	Day      time.Time
	Limit    string
	Requests int64
}

// RefusalDay are the refusals of an account.
type RefusalDay struct {
	AccountID string
	Refusals
}

// Refused gives the refusals of an account by day and limit, newest day first
// (behaviour: usage#refusals). Days are as for List, and at most as many as the log has.
// Errors: ErrAccountNotFound; Invalid naming the field.
func (s *Service) Refused(ctx context.Context, accountID string, from, to time.Time) ([]Refusals, error) {
	from, to, err := s.days(from, to, int(Retention/day)+1)
	if err != nil {
		return nil, err
	}
	if !fault.IsStorable(accountID) {
		return nil, developer.ErrAccountNotFound
	}
	found, err := s.store.Refusals(ctx, accountID, from, to)
	if err == nil && len(found) == 0 {
		err = s.known(ctx, accountID)
	}
	return found, err
}
