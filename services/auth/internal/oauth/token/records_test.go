package token_test

import (
	"slices"
	"testing"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/platform/app"
)

// Records are written only if the introspection succeeds.
func TestIntrospectWritesRequestedRecords(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, public := w.Person(), w.Confidential(), w.App(app.Creation{
		ClientType: app.Public, Scopes: authtest.Everything,
	})
	tokens, ofPublic := w.Tokens(p, a, "profile"), w.Tokens(p, public, "profile")
	secret, access, other := credential.Hash(a.Secret), credential.Hash(tokens.Access), credential.Hash(ofPublic.Access)
	ofClient := "client " + a.ClientID + " of " + a.AccountID + " " + string(secret[:])
	ofToken := "token of " + a.AccountID + " " + string(access[:])
	ofOther := "token of " + public.AccountID + " " + string(other[:])
	both := token.Leave{Client: true, Token: true}
	wrong := a.Credentials
	wrong.Secret = credential.New(credential.ClientSecret)
	check := func(name string, given client.Credentials, presented string, leave token.Leave, want ...string) {
		t.Helper()
		_, _ = w.Token.Introspect(t.Context(), given, presented, leave)
		if got := w.Left.Take(); !slices.Equal(got, want) {
			t.Errorf("%s: wrote %q, want %q", name, got, want)
		}
	}
	check("both", a.Credentials, tokens.Access, both, ofClient, ofToken)
	check("the client's", a.Credentials, tokens.Access, token.Leave{Client: true}, ofClient)
	check("the token's", a.Credentials, tokens.Access, token.Leave{Token: true}, ofToken)
	check("neither", a.Credentials, tokens.Access, token.Leave{})
	check("a refresh token", a.Credentials, tokens.Refresh, both, ofClient)
	check("no token", a.Credentials, "", both)
	check("another's", a.Credentials, ofPublic.Access, both, ofClient)
	check("a wrong secret", wrong, tokens.Access, both)
	check("a public client", public.Credentials, ofPublic.Access, both, ofOther)
	_, _, err := w.Stores.Accounts.SuspendAccount(t.Context(), a.AccountID, "", w.Clock.Now(), nil)
	w.Must(err)
	check("a suspended account", a.Credentials, tokens.Access, both)
}
