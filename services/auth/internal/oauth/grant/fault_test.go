package grant_test

import (
	"context"
	"testing"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/grant"
)

// A client discards its tokens if the response reports an invalid grant, so a temporary database error must
// not be reported this way.
func TestDatabaseErrorIsNotInvalidGrant(t *testing.T) {
	t.Parallel()
	s := begin(t, "profile")
	older := s.Legacy()
	exchange := func(change func(*grant.Exchange)) func(context.Context) error {
		e := authtest.Exchange(s.app, s.Code(s.person, s.app, "profile"))
		change(&e)
		return func(ctx context.Context) error { _, err := s.Grant.ExchangeCode(ctx, e); return err }
	}
	legacy := func(code string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := s.Grant.ExchangeLegacyCode(ctx, grant.LegacyExchange{Client: older.Credentials, Code: code})
			return err
		}
	}
	refresh := func(token, scope string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := s.Grant.RefreshToken(ctx, grant.Refresh{Client: s.app.Credentials, Token: token, Scope: scope})
			return err
		}
	}
	nothing := func(*grant.Exchange) {}
	once, legacyOnce, invalid, malformed := exchange(nothing), legacy(s.LegacyCode(s.person, older)), "OAUTH_INVALID_GRANT", "OAUTH_INVALID_REQUEST"
	for _, c := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"exchange", once},
		{"exchange again", authtest.Expecting(invalid, once)},
		{"exchange of an unknown code", authtest.Expecting(invalid, exchange(func(e *grant.Exchange) { e.Code = credential.New(credential.AuthorizationCode) }))},
		{"exchange without a code", authtest.Expecting(malformed, exchange(func(e *grant.Exchange) { e.Code = "" }))},
		{"legacy exchange", legacyOnce},
		{"legacy exchange again", authtest.Expecting(invalid, legacyOnce)},
		{"legacy exchange without a code", authtest.Expecting(malformed, legacy(""))},
		{"legacy authentication", func(ctx context.Context) error {
			_, err := s.Grant.AuthenticateLegacy(ctx, older.Credentials)
			return err
		}},
		{"refresh for more than was granted", authtest.Expecting("OAUTH_INVALID_SCOPE", refresh(s.Refresh, "email"))},
		{"refresh", refresh(s.Refresh, "")},
		{"refresh again", authtest.Expecting(invalid, refresh(s.Refresh, ""))},
		{"refresh of an unknown token", authtest.Expecting(invalid, refresh(credential.New(credential.RefreshToken), ""))},
		{"refresh without a token", authtest.Expecting(malformed, refresh("", ""))},
	} {
		s.NoFaultIsSwallowed(c.name, false, c.do, authtest.AfterTheCommit...)
	}
}

// A malformed client id must not be looked up, because it may contain bytes that Postgres rejects.
func TestMalformedClientIDIsUnknownClient(t *testing.T) {
	t.Parallel()
	s := begin(t, "profile")
	for _, odd := range []string{"", "\x00", "client", s.app.ClientID + "0"} {
		given := client.Credentials{ID: odd, Secret: s.app.Secret}
		e := authtest.Exchange(s.app, s.Code(s.person, s.app, "profile"))
		e.Client = given
		_, err := s.Grant.ExchangeCode(t.Context(), e)
		wantCode(t, "exchange", err, client.ErrInvalid.Code)
		_, err = s.Grant.RefreshToken(t.Context(), grant.Refresh{Client: given, Token: s.Refresh})
		wantCode(t, "refresh", err, client.ErrInvalid.Code)
		_, err = s.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: given, Code: e.Code})
		wantCode(t, "legacy exchange", err, client.ErrInvalid.Code)
	}
}
