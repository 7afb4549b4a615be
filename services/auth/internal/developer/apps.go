package developer

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/redirecturi"
	"vitae.internal/services/auth/internal/scope"
)

// AppCreation is an app to create.
type AppCreation struct {
	AccountID    string
	Name         string
	LogoURL      string
	ClientType   ClientType
	RedirectURIs []string
	Scopes       []string
	Legacy       bool
	// By is the certificate name of the caller.
	By string
	// ValidateOnly makes every check but that of the account, and writes nothing.
	ValidateOnly bool
}

// CreateApp creates an app, and gives the client secret, which is empty for a public
// client. With ValidateOnly the answer is empty. Errors: ErrAccountNotFound; Invalid
// with every faulty field.
func (s *Service) CreateApp(ctx context.Context, c AppCreation) (App, string, error) {
	scopes, err := checkApp(c)
	if err != nil || c.ValidateOnly {
		return App{}, "", err
	}
	if !fault.IsStorable(c.AccountID) {
		return App{}, "", ErrAccountNotFound
	}
	a := App{
		ID: id.New("app"), AccountID: c.AccountID, Name: c.Name, LogoURL: c.LogoURL,
		ClientID: credential.New(credential.ClientID), ClientType: c.ClientType,
		RedirectURIs: c.RedirectURIs, Scopes: scopes, Legacy: c.Legacy, CreatedAt: s.clock.Now(),
	}
	if c.ClientType == Public {
		return a, "", s.store.CreateApp(ctx, a, nil)
	}
	added, secret := newSecret(c.By)
	if err := s.store.CreateApp(ctx, a, &added); err != nil {
		return App{}, "", err
	}
	return a, secret, nil
}

func checkApp(c AppCreation) (scope.Set, error) {
	faults := fault.Argument()
	if fault.IsBlank(c.Name) {
		faults.Add("name", "is blank")
	}
	if !validLogo(c.LogoURL) {
		faults.Add("logo_url", "is not an http or https URL")
	}
	checkRedirectURIs(faults, c.RedirectURIs)
	if c.Legacy && c.ClientType == Public {
		faults.Add("legacy", "needs a confidential client")
	}
	scopes := checkUserScopes(faults, c)
	checkName(faults, "name", c.Name)
	return scopes, faults.Err()
}

func checkRedirectURIs(faults *fault.List, uris []string) {
	seen := make(map[string]bool, len(uris))
	for i, uri := range uris {
		path := fmt.Sprintf("redirect_uris[%d]", i)
		if err := redirecturi.Validate(uri); err != nil {
			faults.Add(path, "%s", err)
		} else if seen[uri] {
			faults.Add(path, "is there twice")
		}
		seen[uri] = true
	}
}

// checkUserScopes gives the set of the app's scopes. The scope of the legacy interface is
// allowed beside the Legacy mark, which alone grants it, and is not stored.
func checkUserScopes(faults *fault.List, c AppCreation) scope.Set {
	implied := func(s string) bool { return c.Legacy && s == scope.ProfileRead }
	for i, s := range c.Scopes {
		if _, err := scope.User([]string{s}); err != nil && s != scope.CVContact && !implied(s) {
			faults.Add(fmt.Sprintf("scopes[%d]", i), "%s", err)
		}
	}
	if faults.Has("scopes") {
		return nil
	}
	scopes, err := scope.User(slices.DeleteFunc(slices.Clone(c.Scopes), implied))
	if err != nil {
		faults.Add("scopes", "%s", err)
	}
	return scopes
}

// validLogo takes an http or https URL without credentials, or none at all.
func validLogo(s string) bool {
	if s == "" {
		return true
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// App reads an app. Errors: ErrAppNotFound.
func (s *Service) App(ctx context.Context, appID string) (App, error) {
	if !fault.IsStorable(appID) {
		return App{}, ErrAppNotFound
	}
	a, err := s.store.App(ctx, appID)
	audit.FromContext(ctx).Note(audit.About{AppID: a.ID, AccountID: a.AccountID})
	return a, err
}
