package app

import (
	"context"

	"vitae.internal/pkg/fault"
)

// Update is a request to change an app. The client type and the legacy mark cannot change.
type Update struct {
	AppID string
	Details
	// ForMember makes UpdateApp reject values that only operators may set.
	ForMember bool
	// Logo is an uploaded file. Nil keeps the current logo; an empty file removes it.
	Logo *[]byte
}

// UpdateApp changes an app. When it returns, a scope or redirect URI that it removed is rejected everywhere
// (behaviour: apps#changes-apply-at-once). Errors: ErrNotFound; Invalid, with all invalid fields.
func (s *Service) UpdateApp(ctx context.Context, u Update) (App, error) {
	if !fault.IsStorable(u.AppID) {
		return App{}, ErrNotFound
	}
	found, err := s.App(ctx, u.AppID)
	if err != nil {
		return App{}, err
	}
	faults := fault.Argument()
	u.check(faults)
	if u.ForMember {
		u.checkOfMember(faults)
		if u.Name != nil && *u.Name != found.Name {
			if err := s.accounts.CheckReserved(ctx, faults, *u.Name, found.AccountID); err != nil {
				return App{}, err
			}
		}
	}
	u.checkScopes(faults, found.Legacy) // the mark never changes
	logo, err := s.newLogo(ctx, faults, u.Logo)
	if err != nil {
		return App{}, err
	}
	if err := faults.Err(); err != nil {
		return App{}, err
	}
	changed, entry, err := s.store.ChangeApp(ctx, u.AppID, s.clock.Now(), logo, func(a *App) {
		u.apply(a)
		if logo != nil {
			a.LogoVersion = logo.Version
		}
	})
	if err != nil {
		return App{}, err
	}
	return changed, s.revocations.Publish(ctx, entry)
}

// newLogo returns the logo to store, or nil if the update doesn't change the logo.
func (s *Service) newLogo(ctx context.Context, faults *fault.List, file *[]byte) (*Logo, error) {
	if file == nil {
		return nil, nil
	}
	logo, err := s.logo(ctx, faults, *file)
	return &logo, err
}
