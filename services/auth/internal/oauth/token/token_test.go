package token_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/platform/app"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if !errs.HasCode(err, code) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

func describe(t *testing.T, w *authtest.World, a authtest.App, presented string) token.Description {
	t.Helper()
	d, err := w.Token.Introspect(t.Context(), a.Credentials, presented, token.Leave{})
	w.Must(err)
	return d
}

func active(t *testing.T, w *authtest.World, a authtest.App, presented string) bool {
	t.Helper()
	return describe(t, w, a, presented).Active
}

func TestIntrospectDescribesOnlyOwnTokens(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, other := w.Person(), w.Confidential(), w.Confidential()
	tokens := w.Tokens(p, a, "profile", "cv:read")
	live, _ := w.State(state.AccessToken, tokens.Access)
	for presented, life := range map[string]time.Duration{tokens.Access: authtest.AccessLife, tokens.Refresh: authtest.RefreshLife} {
		d := describe(t, w, a, presented)
		if !d.Active || !slices.Equal(d.Scopes, []string{"profile", "cv:read"}) || d.ClientID != a.ClientID || d.PersonID != p ||
			d.ConnectionID != live.Connection.ID || !d.ExpiresAt.Equal(authtest.Start.Add(life)) {
			t.Errorf("described as %+v", d)
		}
		if d := describe(t, w, other, presented); d.Active || d.ClientID != "" || d.PersonID != "" || d.Scopes != nil || !d.ExpiresAt.IsZero() {
			t.Errorf("a different client gets %+v", d)
		}
		w.Clock.Advance(life - time.Microsecond - w.Clock.Now().Sub(authtest.Start))
		if !active(t, w, a, presented) {
			t.Error("the token became inactive too early")
		}
		w.Clock.Advance(time.Microsecond)
		if active(t, w, a, presented) {
			t.Error("the token is active after its expiry")
		}
		w.Clock.Advance(authtest.Start.Sub(w.Clock.Now()))
	}
}

func TestIntrospectUsesConsentedScopes(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Confidential()
	tokens := w.Tokens(p, a, authtest.Everything...)
	w.Code(p, a, "profile")
	for _, presented := range []string{tokens.Access, tokens.Refresh} {
		if d := describe(t, w, a, presented); !d.Active || !slices.Equal(d.Scopes, []string{"profile"}) {
			t.Errorf("after a consent to fewer scopes: %+v", d)
		}
	}
	_, err := w.Pool.Exec(t.Context(), "UPDATE connections SET ended_at = now()")
	w.Must(err)
	for _, presented := range []string{tokens.Access, tokens.Refresh} {
		if active(t, w, a, presented) {
			t.Error("the token is active after the connection has ended")
		}
	}
}

func TestOtherTokensAreInactive(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Legacy()
	tokens := w.Tokens(p, a, "profile")
	rotated, err := w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: a.Credentials, Token: tokens.Refresh})
	w.Must(err)
	for name, presented := range map[string]string{
		"no token at all":                "x",
		"a token that never was":         credential.New(credential.AccessToken),
		"a refresh token that was not":   credential.New(credential.RefreshToken),
		"a rotated refresh token":        tokens.Refresh,
		"a token of the other interface": w.LegacyToken(p, a),
		"a code":                         w.Code(p, a, "profile"),
	} {
		if active(t, w, a, presented) {
			t.Errorf("%s is active", name)
		}
	}
	if !active(t, w, a, tokens.Access) || !active(t, w, a, rotated.Refresh) {
		t.Error("a live token is inactive, so the test proves nothing")
	}
}

func TestClientMustAuthenticate(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, other := w.Confidential(), w.Confidential()
	live := w.Tokens(w.Person(), a, "profile").Access
	public := w.App(app.Creation{ClientType: app.Public, Scopes: []string{"profile"}})
	for name, given := range map[string]client.Credentials{
		"no client":                     {},
		"a malformed client":            {ID: "x"},
		"a client id with a NUL":        {ID: "x\x00"},
		"an unknown client":             {ID: credential.New(credential.ClientID)},
		"no secret":                     {ID: a.ClientID},
		"another client's secret":       {ID: a.ClientID, Secret: other.Secret},
		"a public client with a secret": {ID: public.ClientID, Secret: a.Secret},
	} {
		for _, presented := range []string{live, "x", ""} {
			d, err := w.Token.Introspect(t.Context(), given, presented, token.Leave{})
			wantCode(t, name, err, "OAUTH_INVALID_CLIENT")
			if d.Active {
				t.Errorf("%s: got %+v", name, d)
			}
			wantCode(t, name, w.Token.Revoke(t.Context(), given, presented), "OAUTH_INVALID_CLIENT")
		}
	}
	if !w.Lives(live) {
		t.Error("the token was revoked")
	}
	for name, ask := range map[string]func() error{
		"introspect": func() error { _, err := w.Token.Introspect(t.Context(), a.Credentials, "", token.Leave{}); return err },
		"revoke":     func() error { return w.Token.Revoke(t.Context(), a.Credentials, "") },
	} {
		err := ask()
		if e, ok := errs.As(err); !ok || e.Code != "OAUTH_INVALID_REQUEST" || e.Field() != "token" {
			t.Errorf("%s without a token: %v", name, err)
		}
	}
}

// (behaviour: tokens#revocation)
func TestSuspendedClientMayOnlyRevoke(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	live := w.Tokens(w.Person(), a, "profile").Access
	_, err := w.Accounts.Suspend(t.Context(), a.AccountID, "")
	w.Must(err)
	_, err = w.Token.Introspect(t.Context(), a.Credentials, live, token.Leave{})
	wantCode(t, "introspect", err, "DEVELOPER_ACCOUNT_SUSPENDED")
	w.Must(w.Token.Revoke(t.Context(), a.Credentials, live))
	if w.Lives(live) {
		t.Error("the token is still live")
	}
}

func TestRevokeAccessEndsOneToken(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, other := w.Person(), w.Confidential(), w.Confidential()
	first, second := w.Tokens(p, a, authtest.Everything...), w.Tokens(p, a, authtest.Everything...)
	live, _ := w.State(state.AccessToken, first.Access)
	w.Records.Reset()
	w.Must(w.Token.Revoke(t.Context(), other.Credentials, first.Access))
	if !w.Lives(first.Access) || w.Records.Forgot(first.Access) {
		t.Fatal("a different client revoked the token")
	}
	w.Must(w.Token.Revoke(t.Context(), a.Credentials, first.Access))
	if w.Lives(first.Access) || !w.Records.Forgot(first.Access) {
		t.Error("the token is still live, or its record still exists")
	}
	if !w.Lives(second.Access) || !w.LinkLives(live.Connection.LinkID) || w.Records.Forgot(second.Access) {
		t.Error("more than the token was revoked")
	}
	if !active(t, w, a, first.Refresh) {
		t.Error("the refresh token was revoked")
	}
	w.Must(w.Token.Revoke(t.Context(), a.Credentials, first.Access)) // a repeated call
	w.Must(w.Token.Revoke(t.Context(), a.Credentials, "x"))
	w.Must(w.Token.Revoke(t.Context(), a.Credentials, credential.New(credential.AccessToken)))
	w.Must(w.Token.Revoke(t.Context(), a.Credentials, credential.New(credential.RefreshToken)))
}

// (behaviour: tokens#token-states)
func TestRefreshRevokeEndsTokensAndLink(t *testing.T) {
	t.Parallel()
	for name, rotate := range map[string]bool{"live": false, "rotated": true} {
		w := authtest.New(t)
		p, a, other := w.Person(), w.Confidential(), w.Confidential()
		tokens, bystander := w.Tokens(p, a, authtest.Everything...), w.Tokens(p, a, authtest.Everything...)
		elsewhere := w.Tokens(p, other, authtest.Everything...)
		live, _ := w.State(state.AccessToken, tokens.Access)
		if rotate {
			_, err := w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: a.Credentials, Token: tokens.Refresh})
			w.Must(err)
		}
		w.Records.Reset()
		w.Must(w.Token.Revoke(t.Context(), other.Credentials, tokens.Refresh))
		if !w.Lives(tokens.Access) {
			t.Fatalf("%s: a different client revoked the token", name)
		}
		w.Must(w.Token.Revoke(t.Context(), a.Credentials, tokens.Refresh))
		for _, access := range []string{tokens.Access, bystander.Access} {
			if w.Lives(access) || !w.Records.Forgot(access) {
				t.Errorf("%s: an access token of the connection is still live, or its record still exists", name)
			}
		}
		if link := live.Connection.LinkID; w.LinkLives(link) || !w.Records.ForgotHash(state.LinkHash(link)) {
			t.Errorf("%s: the durable link is still live, or its record still exists", name)
		}
		if active(t, w, a, tokens.Refresh) || !active(t, w, a, bystander.Refresh) {
			t.Errorf("%s: the refresh token is active, or the token of a different exchange is not", name)
		}
		if !w.Lives(elsewhere.Access) {
			t.Errorf("%s: a token of a different app was revoked", name)
		}
		later := w.Tokens(p, a, "profile")
		w.Must(w.Token.Revoke(t.Context(), a.Credentials, tokens.Refresh))
		if !w.Lives(later.Access) {
			t.Errorf("%s: a repeated call revoked a token that was issued later", name)
		}
	}
}

func TestExpiredRefreshTokenRevokesNothing(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Confidential()
	old := w.Tokens(p, a, "profile")
	w.Clock.Advance(authtest.RefreshLife)
	live := w.Tokens(p, a, "profile")
	w.Must(w.Token.Revoke(t.Context(), a.Credentials, old.Refresh))
	if !w.Lives(live.Access) {
		t.Error("a token of the connection was revoked")
	}
	now := w.Clock.Now()
	for _, c := range []struct {
		f    token.Family
		want bool
	}{
		{token.Family{AppID: "a", ExpiresAt: now.Add(1)}, true},
		{token.Family{AppID: "a", ExpiresAt: now}, false},
		{token.Family{AppID: "b", ExpiresAt: now.Add(1)}, false},
	} {
		if got := c.f.MayBeRevokedBy("a", now); got != c.want {
			t.Errorf("%+v may be revoked: %t", c.f, got)
		}
	}
}

func TestRevokeWaitsForTheRecords(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Legacy()
	tokens, legacy := w.Tokens(p, a, "profile"), w.LegacyToken(p, a)
	w.Records.Break(errors.New("down"))
	var revokes sync.WaitGroup
	for name, revoke := range map[string]func(context.Context) error{
		"access":  func(ctx context.Context) error { return w.Token.Revoke(ctx, a.Credentials, tokens.Access) },
		"refresh": func(ctx context.Context) error { return w.Token.Revoke(ctx, a.Credentials, tokens.Refresh) },
		"legacy":  func(ctx context.Context) error { return w.Token.RevokeLegacy(ctx, credential.Hash(legacy)) },
	} {
		revokes.Go(func() {
			for range 2 { // a repeated call must wait too
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				err := revoke(ctx)
				cancel()
				if errs.KindOf(err) != errs.Unavailable {
					t.Errorf("%s: returned %v", name, err)
				}
			}
		})
	}
	revokes.Wait()
	w.Records.Break(nil)
	w.Must(w.Token.Revoke(t.Context(), a.Credentials, tokens.Access))
	wantCode(t, "legacy, again", w.Token.RevokeLegacy(t.Context(), credential.Hash(legacy)), state.ErrUnknown.Code)
}

// (behaviour: legacy#cv-url)
func TestLastLegacyTokenEndsTheLink(t *testing.T) {
	t.Parallel()
	for name, revoke := range map[string]func(*authtest.World, authtest.App, string) error{
		"by the operator's door": func(w *authtest.World, _ authtest.App, secret string) error {
			return w.Token.RevokeLegacy(w.Context(), credential.Hash(secret))
		},
		"by its client": func(w *authtest.World, a authtest.App, secret string) error {
			return w.Token.Revoke(w.Context(), a.Credentials, secret)
		},
	} {
		w := authtest.New(t)
		p, a := w.Person(), w.Legacy()
		first, last := w.LegacyToken(p, a), w.LegacyToken(p, a)
		modern := w.Tokens(p, a, "profile")
		live, _ := w.State(state.LegacyToken, first)
		link := live.Connection.LinkID
		w.Must(revoke(w, a, first))
		_, lives := w.State(state.LegacyToken, first)
		if _, other := w.State(state.LegacyToken, last); lives || !other || !w.LinkLives(link) || !w.Records.Forgot(first) {
			t.Errorf("%s: after the first revocation: token live %t, other token live %t, link live %t", name, lives, other, w.LinkLives(link))
		}
		w.Must(revoke(w, a, last))
		if _, lives := w.State(state.LegacyToken, last); lives || w.LinkLives(link) || !w.Records.ForgotHash(state.LinkHash(link)) {
			t.Errorf("%s: the last token is live %t, the link is live %t, or its record still exists", name, lives, w.LinkLives(link))
		}
		if !w.Lives(modern.Access) {
			t.Errorf("%s: a token of the other interface was revoked", name)
		}
	}
}

func TestLegacyRevokeReportsExpiredTokens(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Legacy()
	secret, modern := w.LegacyToken(p, a), w.Tokens(p, a, "profile")
	for name, unknown := range map[string]string{"made up": "x", "of the other interface": modern.Access} {
		wantCode(t, name, w.Token.RevokeLegacy(t.Context(), credential.Hash(unknown)), state.ErrUnknown.Code)
	}
	w.Clock.Advance(authtest.AccessLife)
	wantCode(t, "expired", w.Token.RevokeLegacy(t.Context(), credential.Hash(secret)), state.ErrExpired.Code)
}

func TestStoreErrorIsReturned(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Legacy()
	w.Pool.Close()
	for name, ask := range map[string]func() error{
		"introspect": func() error {
			_, err := w.Token.Introspect(t.Context(), a.Credentials, credential.New(credential.AccessToken), token.Leave{})
			return err
		},
		"revoke": func() error { return w.Token.Revoke(t.Context(), a.Credentials, "x") },
		"legacy": func() error { return w.Token.RevokeLegacy(t.Context(), credential.Digest{}) },
	} {
		if err := ask(); err == nil || errs.HasCode(err, state.ErrUnknown.Code) || errs.HasCode(err, client.ErrInvalid.Code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// halfDown is a store that authenticates clients, but fails all other calls.
type halfDown struct{ token.Store }

var errDown = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down")

func (halfDown) RevokeAccess(context.Context, string, credential.Digest, time.Time) (revocation.Entry, error) {
	return revocation.Entry{}, errDown
}

func (halfDown) RevokeRefresh(context.Context, credential.Digest, time.Time, func(token.Family) bool) (revocation.Entry, error) {
	return revocation.Entry{}, errDown
}

func TestFailedRevocationReturnsError(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	service, err := token.NewService(token.Config{Store: halfDown{w.Stores.Grants}, Revocations: w.Publisher, Records: w.Left, Clock: w.Clock})
	w.Must(err)
	for _, presented := range []string{credential.New(credential.AccessToken), credential.New(credential.RefreshToken)} {
		if err := service.Revoke(t.Context(), a.Credentials, presented); !errors.Is(err, errDown) {
			t.Errorf("%s: %v", presented[:7], err)
		}
	}
	// A malformed token must not be looked up (behaviour: tokens#revocation).
	w.Must(service.Revoke(t.Context(), a.Credentials, "x"))
}
