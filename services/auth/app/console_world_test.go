package app_test

import (
	"context"

	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	"vitae.internal/services/auth/internal/oauth/pkce"
)

const (
	asOwner     = optionsv1.Role_ROLE_OWNER
	asDeveloper = optionsv1.Role_ROLE_DEVELOPER
	asViewer    = optionsv1.Role_ROLE_VIEWER

	consoleSecret = "a secret that replicas derive from their keys"
)

// console returns a client with which the gateway serves the developer console.
func (w *world) console() authv1.ConsoleServiceClient {
	return authv1.NewConsoleServiceClient(w.gateway)
}

func (w *world) members() authv1.MemberServiceClient { return authv1.NewMemberServiceClient(w.gateway) }

func (w *world) accounts() authv1.AccountServiceClient {
	return authv1.NewAccountServiceClient(w.gateway)
}

func (w *world) operators() authv1.MemberServiceClient {
	return authv1.NewMemberServiceClient(w.vitaectl)
}

// consoleApp creates the console's own app.
func (w *world) consoleApp() client {
	w.Helper()
	resp, err := w.console().EnsureConsoleApp(w.Context(), &authv1.EnsureConsoleAppRequest{RedirectUri: redirectURI, ClientSecret: consoleSecret})
	w.must(err)
	return client{app: &authv1.App{Id: resp.GetAppId(), ClientId: resp.GetClientId()}, secret: consoleSecret}
}

// consoleToken connects a person to the console's app and returns the access token.
func (w *world) consoleToken(p person) string {
	w.Helper()
	c := w.consoleApp()
	resp, err := w.oauth.Authorize(w.Context(), &authv1.AuthorizeRequest{
		Parameters: &authv1.AuthorizationParameters{
			ResponseType: "code", ClientId: c.app.GetClientId(), RedirectUri: redirectURI, Scope: "profile email",
			CodeChallenge: pkce.Challenge(verifier), CodeChallengeMethod: "S256",
		},
		SessionToken: p.session, GrantedScopes: []string{"profile", "email"},
	})
	w.must(err)
	return w.exchange(c, resp.GetCode()).GetAccessToken()
}

// signInToConsole opens a console session and returns its secret.
func (w *world) signInToConsole(p person) string {
	w.Helper()
	resp, err := w.console().OpenConsoleSession(w.Context(), &authv1.OpenConsoleSessionRequest{
		AccessToken: w.consoleToken(p), Name: "Name of " + p.email,
	})
	w.must(err)
	return resp.GetSessionToken()
}

// by returns a context for calls on behalf of the person signed in to a console session.
func (w *world) by(session string) context.Context {
	return grpcx.WithConsoleSession(w.Context(), session)
}

// whoIs returns the console session with the given secret.
func (w *world) whoIs(session string) (*authv1.GetConsoleSessionResponse, error) {
	return w.console().GetConsoleSession(w.by(session), &authv1.GetConsoleSessionRequest{})
}

// join makes a person a member of an account.
func (w *world) join(accountID string, p person, role optionsv1.Role) {
	w.Helper()
	_, err := w.operators().AddMember(w.Context(), &authv1.AddMemberRequest{AccountId: accountID, PersonId: p.id, Role: role})
	w.must(err)
}

// unverified returns a person whose email address is not verified.
func (w *world) unverified(email string) person {
	w.Helper()
	p := w.person(email)
	_, err := w.db.Exec(w.Context(), "UPDATE people SET email_verified = false WHERE id = $1", p.id)
	w.must(err)
	return p
}
