package console

import (
	"context"
	"slices"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/oauth/redirecturi"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

const (
	// AppName and AccountName are the names of the console's app and of the account that owns it.
	AppName     = "Vitae Console"
	AccountName = "Vitae"
	// overlap is how long the previous secret remains valid alongside a new one.
	overlap = 24 * time.Hour
	// madeBy is recorded as the app's creator. It is the name in the gateway's certificate.
	madeBy = "gateway"
)

// Secret is one of the console app's client secrets, but without its value.
type Secret struct {
	ID   string
	Hash credential.Digest
	// ExpiresAt is nil for a secret that doesn't expire.
	ExpiresAt *time.Time
}

// Wanted is the required state of the console's app.
type Wanted struct {
	// Account and App are created if the console's app doesn't exist.
	Account     account.Account
	App         app.App
	RedirectURI string
	Secret      app.NewSecret
	// Settle chooses which live secrets to keep, and with which expiry. It also reports whether the wanted secret is
	// among them.
	Settle func(live []Secret) (kept []Secret, held bool)
}

// EnsureApp creates the console's app if it doesn't exist, and sets its redirect URI and secret. Errors: Invalid for
// redirect_uri.
func (s *Service) EnsureApp(ctx context.Context, redirectURI, secret string) (app.App, error) {
	if err := redirecturi.Validate(redirectURI); err != nil {
		return app.App{}, fault.Of(fault.CodeArgument, "redirect_uri", "%s", err)
	}
	scopes, err := scope.User([]string{scope.Profile, "email"})
	if err != nil {
		return app.App{}, err
	}
	now, hash := s.clock.Now(), credential.Hash(secret)
	account := account.Account{ID: id.New("dev"), Name: AccountName, Plan: account.Plan{Name: account.Standard}, CreatedAt: now}
	return s.store.EnsureConsoleApp(ctx, Wanted{
		Account: account,
		App: app.App{
			ID: id.New("app"), AccountID: account.ID, Name: AppName, ClientID: credential.New(credential.ClientID),
			ClientType: app.Confidential, RedirectURIs: []string{redirectURI}, Scopes: scopes, CreatedAt: now,
		},
		RedirectURI: redirectURI,
		Secret:      app.NewSecret{ID: id.New("sec"), Hash: hash, CreatedBy: madeBy},
		Settle:      func(live []Secret) ([]Secret, bool) { return settle(live, hash, now) },
	}, now)
}

// settle keeps the wanted secret if it exists, and removes its expiry. It also keeps one other secret, for at most
// the overlap: a secret without an expiry or, if there is none, the newest one. live is sorted, newest first.
func settle(live []Secret, wanted credential.Digest, now time.Time) (kept []Secret, held bool) {
	others := slices.DeleteFunc(slices.Clone(live), func(s Secret) bool { return s.Hash == wanted })
	if held = len(others) < len(live); held {
		own := live[slices.IndexFunc(live, func(s Secret) bool { return s.Hash == wanted })]
		own.ExpiresAt = nil
		kept = append(kept, own)
	}
	if len(others) == 0 {
		return kept, held
	}
	other := others[max(0, slices.IndexFunc(others, func(s Secret) bool { return s.ExpiresAt == nil }))]
	end := now.Add(overlap).Truncate(time.Microsecond) // the precision of Postgres
	if other.ExpiresAt == nil || end.Before(*other.ExpiresAt) {
		other.ExpiresAt = &end
	}
	return append(kept, other), held
}
