package app

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/platform/account"
)

// Creation is an app that is to be created.
type Creation struct {
	AccountID     string
	Name          string
	Description   string
	LogoURL       string
	Homepage      string
	PrivacyPolicy string
	Terms         string
	Support       string
	// Logo is an uploaded file, or empty if there is none.
	Logo         []byte
	ClientType   ClientType
	RedirectURIs []string
	Scopes       []string
	Legacy       bool
	// By is the person or calling service that creates the app.
	By string
	// ForMember makes CreateApp reject values that only operators may set.
	ForMember bool
	// ValidateOnly makes CreateApp check everything except the account, but write nothing.
	ValidateOnly bool
}

// CreateApp creates an app and returns its client secret, which is empty for a public client. If ValidateOnly is
// set, both results are empty. Errors: account.ErrNotFound; Invalid, with all invalid fields.
func (s *Service) CreateApp(ctx context.Context, c Creation) (App, string, error) {
	logo, err := s.checkCreation(ctx, c)
	if err != nil || c.ValidateOnly {
		return App{}, "", err
	}
	if !fault.IsStorable(c.AccountID) {
		return App{}, "", account.ErrNotFound
	}
	now := s.clock.Now()
	a := App{
		ID: id.New("app"), AccountID: c.AccountID, ClientID: credential.New(credential.ClientID), ClientType: c.ClientType,
		Legacy: c.Legacy, CreatedAt: now, CreatedBy: c.By, UpdatedAt: now,
	}
	c.details().apply(&a)
	a.LogoVersion = logo.Version
	if c.ClientType == Public {
		return a, "", s.store.CreateApp(ctx, a, logo, nil)
	}
	added, secret := newSecret(c.By)
	if err := s.store.CreateApp(ctx, a, logo, &added); err != nil {
		return App{}, "", err
	}
	return a, secret, nil
}

// details returns the creation as an update that sets all details.
func (c Creation) details() Details {
	return Details{
		Name: &c.Name, Description: &c.Description, LogoURL: &c.LogoURL, Homepage: &c.Homepage, PrivacyPolicy: &c.PrivacyPolicy,
		Terms: &c.Terms, Support: &c.Support, RedirectURIs: &c.RedirectURIs, Scopes: &c.Scopes,
	}
}

func (s *Service) checkCreation(ctx context.Context, c Creation) (Logo, error) {
	faults := fault.Argument()
	details := c.details()
	details.check(faults)
	if c.Legacy && c.ClientType == Public {
		faults.Add("legacy", "needs a confidential client")
	}
	if c.ForMember {
		details.checkOfMember(faults)
		if err := s.accounts.CheckReserved(ctx, faults, c.Name, c.AccountID); err != nil {
			return Logo{}, err
		}
		if c.Legacy {
			faults.Add("legacy", "is set by operators")
		}
	}
	details.checkScopes(faults, c.Legacy)
	logo, err := s.logo(ctx, faults, c.Logo)
	if err != nil {
		return Logo{}, err
	}
	return logo, faults.Err()
}

// App reads an app. It returns ErrNotFound if the app doesn't exist or has been deleted.
func (s *Service) App(ctx context.Context, appID string) (App, error) {
	if !fault.IsStorable(appID) {
		return App{}, ErrNotFound
	}
	a, err := s.store.App(ctx, appID)
	audit.FromContext(ctx).Note(audit.About{AppID: a.ID, AccountID: a.AccountID})
	return a, err
}

// Apps lists an account's apps, newest first. If deletedToo is set, it includes deleted apps. Errors:
// account.ErrNotFound.
func (s *Service) Apps(ctx context.Context, accountID string, deletedToo bool) (account.Account, []Listed, error) {
	a, err := s.accounts.Account(ctx, accountID)
	if err != nil {
		return account.Account{}, nil, err
	}
	audit.FromContext(ctx).Note(audit.About{AccountID: a.ID})
	apps, err := s.store.Apps(ctx, accountID, deletedToo)
	return a, apps, err
}
