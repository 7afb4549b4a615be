package developer

import (
	"context"
	"errors"

	"vitae.internal/pkg/fault"
)

// AppDeletion names an app to delete.
type AppDeletion struct {
	AppID string
	// ConfirmName is the app's name as the user typed it; empty if nobody was asked.
	ConfirmName string
	// Unasked allows an empty ConfirmName.
	Unasked bool
}

// DeleteApp deletes an app. When it returns, everything of the app is refused everywhere,
// even if an earlier call deleted it (behaviour: apps#deleting-an-app). Errors:
// ErrAppNotFound; Invalid naming confirm_name.
func (s *Service) DeleteApp(ctx context.Context, d AppDeletion) error {
	if !fault.IsStorable(d.AppID) {
		return ErrAppNotFound
	}
	entry, err := s.apps.DeleteApp(ctx, d.AppID, s.clock.Now(), d.check)
	if err != nil && !errors.Is(err, ErrAppNotFound) {
		return err
	}
	if pending := s.revocations.Publish(ctx, entry); pending != nil {
		return pending
	}
	return err
}

func (d AppDeletion) check(a App) error {
	if d.ConfirmName != a.Name && (d.ConfirmName != "" || !d.Unasked) {
		return fault.Of(fault.CodeArgument, "confirm_name", "must be the name of the app")
	}
	return nil
}
