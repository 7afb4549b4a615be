package usage

import (
	"context"
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/platform/account"
)

const (
	// usualMinutes and maxMinutes are the default and maximum number of minutes.
	usualMinutes = 60
	maxMinutes   = 120
)

// Minute holds the usage in the minute that starts at At.
type Minute struct {
	At                         time.Time
	Requests, Metered, Refused int64
}

// Minutes returns the usage in each of the most recent minutes, oldest first, optionally limited to one app or key
// (behaviour: usage#by-minute). If minutes is zero, it returns the default number of minutes. Errors:
// account.ErrNotFound.
func (s *Service) Minutes(ctx context.Context, accountID, appID, apiKeyID string, minutes int) ([]Minute, error) {
	if minutes == 0 {
		minutes = usualMinutes
	}
	minutes = min(minutes, maxMinutes)
	first := s.clock.Now().UTC().Truncate(time.Minute).Add(-time.Duration(minutes-1) * time.Minute)
	list := make([]Minute, minutes)
	for i := range list {
		list[i].At = first.Add(time.Duration(i) * time.Minute)
	}
	if !fault.IsStorable(accountID) {
		return nil, account.ErrNotFound
	}
	var found []Minute
	if fault.IsStorable(appID) && fault.IsStorable(apiKeyID) {
		var err error
		if found, err = s.store.Minutes(ctx, accountID, requestlog.Filter{AppID: appID, APIKeyID: apiKeyID}, first); err != nil {
			return nil, err
		}
	}
	for _, m := range found {
		// A gateway whose clock is fast may have reported requests with a time in the future.
		if i := int(m.At.Sub(first) / time.Minute); i < len(list) {
			list[i] = m
		}
	}
	if len(found) == 0 {
		return list, s.known(ctx, accountID)
	}
	return list, nil
}
