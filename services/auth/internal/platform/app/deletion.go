package app

import (
	"context"
	"errors"

	"vitae.internal/pkg/fault"
)

// Deletion is a request to delete an app.
type Deletion struct {
	AppID string
	// ConfirmName is the app's name as typed by the user, or empty if no user was asked to confirm the deletion.
	ConfirmName string
	// Unasked permits an empty ConfirmName.
	Unasked bool
}

// DeleteApp deletes an app. When it returns, all of the app's credentials are rejected everywhere, even if the app
// was deleted by an earlier call (behaviour: apps#deleting-an-app). Errors: ErrNotFound; Invalid for confirm_name.
func (s *Service) DeleteApp(ctx context.Context, d Deletion) error {
	if !fault.IsStorable(d.AppID) {
		return ErrNotFound
	}
	entry, err := s.store.DeleteApp(ctx, d.AppID, s.clock.Now(), d.check)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if pending := s.revocations.Publish(ctx, entry); pending != nil {
		return pending
	}
	return err
}

func (d Deletion) check(a App) error {
	if d.ConfirmName != a.Name && (d.ConfirmName != "" || !d.Unasked) {
		return fault.Of(fault.CodeArgument, "confirm_name", "must be the name of the app")
	}
	return nil
}
