package developer

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"vitae.internal/pkg/credential"
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
	// ValidateOnly makes every check but that of the account, and writes nothing.
	ValidateOnly bool
}

// CreateApp creates an app; the secret is empty for a public client. Errors:
// ErrAccountNotFound; Invalid naming the field.
func (d *Developers) CreateApp(ctx context.Context, c AppCreation) (App, string, error) {
	scopes, err := checkApp(c)
	if err != nil || c.ValidateOnly {
		return App{}, "", err
	}
	a := App{
		ID: id.New("app"), AccountID: c.AccountID, Name: c.Name, LogoURL: c.LogoURL,
		ClientID: credential.New(credential.ClientID), ClientType: c.ClientType,
		RedirectURIs: c.RedirectURIs, Scopes: scopes, Legacy: c.Legacy, CreatedAt: d.clock.Now(),
	}
	if c.ClientType == Public {
		return a, "", d.store.CreateApp(ctx, a, nil)
	}
	secret := credential.New(credential.ClientSecret)
	hash := credential.Hash(secret)
	if err := d.store.CreateApp(ctx, a, &hash); err != nil {
		return App{}, "", err
	}
	return a, secret, nil
}

func checkApp(c AppCreation) (scope.Set, error) {
	if strings.TrimSpace(c.Name) == "" {
		return nil, invalid("name", "is blank")
	}
	if !validLogo(c.LogoURL) {
		return nil, invalid("logo_url", "is not an http or https URL")
	}
	for i, uri := range c.RedirectURIs {
		field := fmt.Sprintf("redirect_uris[%d]", i)
		if err := redirecturi.Validate(uri); err != nil {
			return nil, invalid(field, "%s", err)
		}
		if slices.Contains(c.RedirectURIs[:i], uri) {
			return nil, invalid(field, "is there twice")
		}
	}
	if c.Legacy && c.ClientType == Public {
		return nil, invalid("legacy", "needs a confidential client")
	}
	// The mark is the permission for the older interface; its scope, listed beside
	// it, says nothing more and is not kept.
	said := func(s string) bool { return c.Legacy && s == scope.ProfileRead }
	for i, s := range c.Scopes {
		if _, err := scope.User([]string{s}); err != nil && s != scope.CVContact && !said(s) {
			return nil, invalid(fmt.Sprintf("scopes[%d]", i), "%s", err)
		}
	}
	scopes, err := scope.User(slices.DeleteFunc(slices.Clone(c.Scopes), said))
	if err != nil {
		return nil, invalid("scopes", "%s", err)
	}
	return scopes, nil
}

func validLogo(s string) bool {
	if s == "" {
		return true
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// KeyCreation is an API key to create.
type KeyCreation struct {
	AppID     string
	Name      string
	Scopes    []string
	ExpiresAt *time.Time
	// ValidateOnly makes every check but that of the app, and writes nothing.
	ValidateOnly bool
}

// CreateAPIKey creates a key and gives its secret. Errors: ErrAppNotFound;
// Invalid naming the field.
func (d *Developers) CreateAPIKey(ctx context.Context, c KeyCreation) (APIKey, string, error) {
	now := d.clock.Now()
	for i, s := range c.Scopes {
		if _, err := scope.Company([]string{s}); err != nil {
			return APIKey{}, "", invalid(fmt.Sprintf("scopes[%d]", i), "%s", err)
		}
	}
	scopes, err := scope.Company(c.Scopes)
	if err != nil {
		return APIKey{}, "", invalid("scopes", "%s", err)
	}
	if c.ExpiresAt != nil && !c.ExpiresAt.After(now) {
		return APIKey{}, "", invalid("expires_at", "is not in the future")
	}
	if c.ValidateOnly {
		return APIKey{}, "", nil
	}
	k := APIKey{ID: id.New("key"), AppID: c.AppID, Name: c.Name, Scopes: scopes, ExpiresAt: c.ExpiresAt, CreatedAt: now}
	secret := credential.New(credential.APIKey)
	if err := d.store.CreateAPIKey(ctx, k, credential.Hash(secret)); err != nil {
		return APIKey{}, "", err
	}
	return k, secret, nil
}

// APIKeys lists the keys of an app. Errors: ErrAppNotFound.
func (d *Developers) APIKeys(ctx context.Context, appID string) ([]APIKey, error) {
	if _, err := d.store.App(ctx, appID); err != nil {
		return nil, err
	}
	return d.store.APIKeys(ctx, appID)
}

// DeleteAPIKey deletes a key; it is refused from the answer on, also if a
// deletion before this one ended it. Errors: ErrKeyNotFound.
func (d *Developers) DeleteAPIKey(ctx context.Context, keyID string) error {
	order, err := d.store.DeleteAPIKey(ctx, keyID, d.clock.Now())
	if err != nil && !errors.Is(err, ErrKeyNotFound) {
		return err
	}
	if untold := d.teller.Tell(ctx, order); untold != nil {
		return untold
	}
	return err
}
