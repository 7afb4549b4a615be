package developer

import (
	"context"

	"vitae.internal/pkg/fault"
)

// AppUpdate is a change of an app. Its client type and the mark of the legacy interface
// are fixed.
type AppUpdate struct {
	AppID string
	AppDetails
	// ForMember refuses what operators alone give.
	ForMember bool
	// Logo is an uploaded file; nil leaves the logo, an empty one takes it away.
	Logo *[]byte
}

// UpdateApp changes an app. A scope and a redirect URI that it loses are refused everywhere
// when this returns (behaviour: apps#a-change-holds-at-once). Errors: ErrAppNotFound;
// Invalid with every faulty field.
func (s *Service) UpdateApp(ctx context.Context, u AppUpdate) (App, error) {
	if !fault.IsStorable(u.AppID) {
		return App{}, ErrAppNotFound
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
			if err := s.checkReserved(ctx, faults, *u.Name, found.AccountID); err != nil {
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

// newLogo gives the logo that the change sets; nil if it sets none.
func (s *Service) newLogo(ctx context.Context, faults *fault.List, file *[]byte) (*Logo, error) {
	if file == nil {
		return nil, nil
	}
	logo, err := s.logo(ctx, faults, *file)
	return &logo, err
}
