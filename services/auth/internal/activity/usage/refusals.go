package usage

import (
	"context"
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/platform/account"
)

// Refusals counts the requests that one limit rejected on one day.
type Refusals struct {
	Day      time.Time
	Limit    string
	Requests int64
}

// RefusalDay counts the requests of one account that a limit rejected on one day.
type RefusalDay struct {
	AccountID string
	Refusals
}

// Refused returns how many of an account's requests were rejected, by day and limit, newest day first
// (behaviour: usage#refusals). The range of days works as in List, but may span the log's whole retention period.
// Errors: account.ErrNotFound; Invalid, with the name of the field.
func (s *Service) Refused(ctx context.Context, accountID string, from, to time.Time) ([]Refusals, error) {
	from, to, err := s.days(from, to, int(requestlog.Retention/day)+1)
	if err != nil {
		return nil, err
	}
	if !fault.IsStorable(accountID) {
		return nil, account.ErrNotFound
	}
	found, err := s.store.Refusals(ctx, accountID, from, to)
	if err == nil && len(found) == 0 {
		err = s.known(ctx, accountID)
	}
	return found, err
}
