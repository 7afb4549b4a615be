package app_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	if !errs.HasCode(err, code) {
		t.Fatalf("error %v, want %s", err, code)
	}
}

func TestIssuedCodeIsExchangedForTokens(t *testing.T) {
	t.Parallel()
	for _, kind := range []authv1.ClientType{authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL, authv1.ClientType_CLIENT_TYPE_PUBLIC} {
		w := newWorld(t)
		p, c := w.person("a@example.com"), w.client(kind)
		w.clock.Advance(10*time.Minute - time.Second)
		tokens := w.connect(p, c, everything...)
		if !credential.WellFormed(credential.AccessToken, tokens.GetAccessToken()) ||
			!credential.WellFormed(credential.RefreshToken, tokens.GetRefreshToken()) ||
			tokens.GetExpiresIn() != 3600 || !slices.Equal(tokens.GetScopes(), everything) {
			t.Fatalf("%v: tokens %v", kind, tokens)
		}
		r := w.live(c, tokens.GetAccessToken())
		conn := w.connectionOf(p)
		got := r.GetPrincipal()
		if got.GetPersonId() != p.id || got.GetAppId() != c.app.GetId() || got.GetAccountId() != c.app.GetAccountId() ||
			got.GetConnectionId() != conn.GetId() || got.GetCvId() != "master" || !got.GetSharePhoto() ||
			!got.GetConnectedAt().AsTime().Equal(conn.GetCreatedAt().AsTime()) || got.GetCvLinkId() == "" ||
			!slices.Equal(got.GetScopes(), everything) || !slices.Equal(got.GetGrantedScopes(), everything) {
			t.Errorf("%v: principal %v", kind, got)
		}
		if r.GetPlan().GetPerMinute() != 300 || r.GetPlan().GetPerDay() != 20000 || r.GetAccountSuspended() {
			t.Errorf("%v: record %v", kind, r)
		}
	}
}

func TestUsedCodePresentedAgainRevokesWhatItIssued(t *testing.T) {
	t.Parallel()
	for name, later := range map[string]time.Duration{"at once": 0, "after the code has expired": 30 * time.Minute} {
		w := newWorld(t)
		c := w.confidential()
		code := w.consent(w.person("a@example.com"), c, everything...)
		tokens := w.exchange(c, code)
		w.live(c, tokens.GetAccessToken())
		w.clock.Advance(later)
		rotated := w.refresh(c, tokens.GetRefreshToken())
		w.live(c, rotated.GetAccessToken())
		_, err := w.oauth.ExchangeCode(t.Context(), exchangeRequest(c, code))
		wantCode(t, err, "OAUTH_INVALID_GRANT")
		for _, token := range []string{tokens.GetAccessToken(), rotated.GetAccessToken()} {
			w.dead(accessToken, c.app.GetAccountId(), token)
		}
		if err := w.refreshError(c, rotated.GetRefreshToken()); !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
			t.Errorf("%s: the refresh token lives on: %v", name, err)
		}
	}
}

func TestRotatedRefreshTokenPresentedAgainEndsItsFamily(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	first := w.connect(p, c, everything...)
	other := w.connect(p, c, everything...) // another family of the same connection
	second := w.refresh(c, first.GetRefreshToken())
	third := w.refresh(c, second.GetRefreshToken())
	w.live(c, third.GetAccessToken())
	wantCode(t, w.refreshError(c, first.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	for _, pair := range []*authv1.TokenPair{first, second, third} {
		w.dead(accessToken, c.app.GetAccountId(), pair.GetAccessToken())
	}
	wantCode(t, w.refreshError(c, third.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	w.live(c, other.GetAccessToken())
	w.refresh(c, other.GetRefreshToken())
}

func TestRotatedRefreshTokenEndsItsFamilyThoughTheAppLostItsScopes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	first := w.connect(w.person("a@example.com"), c, "profile")
	second := w.refresh(c, first.GetRefreshToken())
	if _, err := w.db.Exec(t.Context(), "UPDATE apps SET scopes = '{}' WHERE id = $1", c.app.GetId()); err != nil {
		t.Fatal(err)
	}
	wantCode(t, w.refreshError(c, first.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	w.dead(accessToken, c.app.GetAccountId(), second.GetAccessToken())
}

func TestAccessTokenLivesOneHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	token := w.connect(w.person("a@example.com"), c, "profile").GetAccessToken()
	w.clock.Advance(time.Hour - time.Second)
	if _, err := w.resolve(accessToken, token); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(time.Second)
	_, err := w.resolve(accessToken, token)
	wantCode(t, err, "CREDENTIAL_UNKNOWN")
}

func TestRevokedRefreshTokenTakesFamilyAccessTokensAndLinksAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	first := w.connect(p, c, everything...)
	other := w.connect(p, c, everything...)
	second := w.refresh(c, first.GetRefreshToken())
	link := w.live(c, second.GetAccessToken()).GetPrincipal().GetCvLinkId()
	w.live(c, other.GetAccessToken())
	if w.record(cvLink, c.app.GetAccountId(), link) == nil {
		t.Fatal("the link is dead before its time")
	}
	w.revoke(c, second.GetRefreshToken())
	for _, pair := range []*authv1.TokenPair{first, second, other} {
		w.dead(accessToken, c.app.GetAccountId(), pair.GetAccessToken())
	}
	w.dead(cvLink, c.app.GetAccountId(), link)
	wantCode(t, w.refreshError(c, second.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	// The consent lives: its other grant goes on, with a new link.
	w.revoke(c, second.GetRefreshToken())
	again := w.refresh(c, other.GetRefreshToken())
	if renewed := w.live(c, again.GetAccessToken()).GetPrincipal().GetCvLinkId(); renewed == "" || renewed == link {
		t.Errorf("link %q after %q", renewed, link)
	}
	w.revoke(c, first.GetRefreshToken()) // revoked long ago: nothing that came since may die
	w.live(c, again.GetAccessToken())
}

func TestRevokedAccessTokenIsTheOnlyOneRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	first := w.connect(w.person("a@example.com"), c, everything...)
	second := w.refresh(c, first.GetRefreshToken())
	link := w.live(c, second.GetAccessToken()).GetPrincipal().GetCvLinkId()
	w.revoke(c, second.GetAccessToken())
	w.dead(accessToken, c.app.GetAccountId(), second.GetAccessToken())
	w.live(c, first.GetAccessToken())
	if w.record(cvLink, c.app.GetAccountId(), link) == nil {
		t.Error("the link died")
	}
	w.refresh(c, second.GetRefreshToken())
}
