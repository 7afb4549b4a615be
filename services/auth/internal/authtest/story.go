package authtest

import (
	"strings"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/pkce"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

const (
	// RedirectURI is the redirect URI of every app.
	RedirectURI = "https://partner.example/callback"
	// Verifier is the PKCE verifier of every code (RFC 7636, appendix B).
	Verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
)

// Everything lists all user scopes.
var Everything = []string{"profile", "email", "cv:read", "cv:contact"}

// Person creates a person and returns the id.
func (w *World) Person() string {
	w.Helper()
	p := person.Person{ID: id.New("usr"), CreatedAt: w.Clock.Now()}
	p.Email = p.ID + "@example.com"
	w.Must(w.Stores.People.CreatePerson(w.Context(), p, p.Email, "no password"))
	return p.ID
}

// App is an app together with its credentials.
type App struct {
	app.App
	client.Credentials
}

// App creates an app in a new account.
func (w *World) App(creation app.Creation) App {
	w.Helper()
	account, err := w.Accounts.CreateAccount(w.Context(), account.Creation{
		Name: "Partner", Email: "dev@partner.example", Plan: account.Plan{Name: account.Standard},
	})
	w.Must(err)
	creation.AccountID, creation.Name, creation.RedirectURIs = account.ID, "Partner site", []string{RedirectURI}
	app, secret, err := w.Apps.CreateApp(w.Context(), creation)
	w.Must(err)
	return App{app, client.Credentials{ID: app.ClientID, Secret: secret}}
}

// Confidential creates a confidential app with all user scopes.
func (w *World) Confidential() App {
	w.Helper()
	return w.App(app.Creation{ClientType: app.Confidential, Scopes: Everything})
}

// Legacy creates an app that may also use the legacy interface.
func (w *World) Legacy() App {
	w.Helper()
	return w.App(app.Creation{ClientType: app.Confidential, Scopes: Everything, Legacy: true})
}

// Request returns a valid authorization request.
func Request(a App) authorize.Parameters {
	return authorize.Parameters{
		ResponseType: "code", ClientID: a.ClientID, RedirectURI: RedirectURI, Scope: "profile email cv:read cv:contact",
		CodeChallenge: pkce.Challenge(Verifier), CodeChallengeMethod: pkce.Method, State: "xyz",
	}
}

// Code makes a person consent to the scopes, including the photo and the main CV, and returns the authorization
// code.
func (w *World) Code(personID string, a App, scopes ...string) string {
	w.Helper()
	return w.code(Request(a), authorize.Decision{Session: Session(personID), Scopes: scopes, CvID: "master", SharePhoto: true})
}

// LegacyCode makes a person consent in the legacy interface, and returns the authorization code.
func (w *World) LegacyCode(personID string, a App) string {
	w.Helper()
	return w.code(
		authorize.Parameters{ResponseType: "code", ClientID: a.ClientID, RedirectURI: RedirectURI, Scope: scope.ProfileRead, Legacy: true},
		authorize.Decision{Session: Session(personID), Scopes: []string{scope.ProfileRead}, SharePhoto: true},
	)
}

func (w *World) code(p authorize.Parameters, d authorize.Decision) string {
	w.Helper()
	// Codes for the console's app require a stored session.
	hash, now := credential.Hash(d.Session), w.Clock.Now()
	_, err := w.Pool.Exec(w.Context(), `INSERT INTO sessions (hash, person_id, created_at, expires_at)
		SELECT $1, $2, $3, $4 FROM apps WHERE client_id = $5 AND is_console ON CONFLICT (hash) DO NOTHING`,
		hash[:], strings.TrimPrefix(d.Session, sessionPrefix), now, now.AddDate(0, 1, 0), p.ClientID)
	w.Must(err)
	code, fault, err := w.Authorize.Authorize(w.Context(), p, d)
	w.Must(err)
	if fault != nil {
		w.Fatalf("fault: %+v", *fault)
	}
	return code
}

// Exchange returns the request that exchanges an authorization code.
func Exchange(a App, code string) grant.Exchange {
	return grant.Exchange{Client: a.Credentials, Code: code, RedirectURI: RedirectURI, Verifier: Verifier}
}

// Tokens makes a person consent, exchanges the code and returns the tokens.
func (w *World) Tokens(personID string, a App, scopes ...string) grant.Tokens {
	w.Helper()
	tokens, err := w.Grant.ExchangeCode(w.Context(), Exchange(a, w.Code(personID, a, scopes...)))
	w.Must(err)
	return tokens
}

// LegacyToken makes a person consent in the legacy interface and exchanges the code. It returns the access token.
func (w *World) LegacyToken(personID string, a App) string {
	w.Helper()
	token, err := w.Grant.ExchangeLegacyCode(w.Context(), grant.LegacyExchange{Client: a.Credentials, Code: w.LegacyCode(personID, a)})
	w.Must(err)
	return token.Access
}

// State returns the stored state of a credential, or false if it is not live.
func (w *World) State(kind state.Kind, secret string) (state.State, bool) {
	w.Helper()
	state, err := w.Stores.States.Read(w.Context(), kind, credential.Hash(secret), w.Clock.Now())
	return state, err == nil
}

// Lives reports whether an access token is live.
func (w *World) Lives(token string) bool {
	w.Helper()
	_, lives := w.State(state.AccessToken, token)
	return lives
}

// LinkLives reports whether the durable link with the given id is live.
func (w *World) LinkLives(linkID string) bool {
	w.Helper()
	_, err := w.Stores.States.Read(w.Context(), state.CVLink, state.LinkHash(linkID), w.Clock.Now())
	return err == nil
}

// Key creates an API key for an app, and returns its id and secret.
func (w *World) Key(a App, scopes ...string) (keyID, secret string) {
	w.Helper()
	key, secret, err := w.Apps.CreateAPIKey(w.Context(), app.KeyCreation{AppID: a.App.ID, Name: "Key", Scopes: scopes})
	w.Must(err)
	return key.ID, secret
}
