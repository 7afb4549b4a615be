package token_test

import (
	"context"
	"testing"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/token"
)

// Clients rely on the responses "inactive" and "revoked", so a database failure must result in neither of them.
func TestDatabaseErrorIsNotTokenState(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Legacy()
	tokens, older := w.Tokens(p, a, "profile"), credential.Hash(w.LegacyToken(p, a))
	introspect := func(presented string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Token.Introspect(ctx, a.Credentials, presented, token.Leave{})
			return err
		}
	}
	revoke := func(token string) func(context.Context) error {
		return func(ctx context.Context) error { return w.Token.Revoke(ctx, a.Credentials, token) }
	}
	legacy := func(ctx context.Context) error { return w.Token.RevokeLegacy(ctx, older) }
	for _, c := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"introspect an access token", introspect(tokens.Access)},
		{"introspect a refresh token", introspect(tokens.Refresh)},
		{"introspect what is no token", introspect("x")},
		{"revoke an access token", revoke(tokens.Access)},
		{"revoke a refresh token", revoke(tokens.Refresh)},
		{"revoke what is no token", revoke("x")},
		{"revoke a legacy token", legacy},
		{"revoke it again", authtest.Expecting(state.ErrUnknown.Code, legacy)},
	} {
		w.NoFaultIsSwallowed(c.name, false, c.do, authtest.AfterTheCommit...)
	}
}
