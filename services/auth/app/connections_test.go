package app_test

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestDisconnectEndsEverythingAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	unredeemed := w.consent(p, c, everything...)
	tokens := w.connect(p, c, everything...)
	link := w.live(c, tokens.GetAccessToken()).GetPrincipal().GetCvLinkId()
	w.record(cvLink, c.app.GetAccountId(), link)
	before := w.connectionOf(p)
	_, err := w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: before.GetId()})
	w.must(err)
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
	w.dead(cvLink, c.app.GetAccountId(), link)
	_, err = w.resolve(accessToken, tokens.GetAccessToken())
	wantCode(t, err, "CREDENTIAL_UNKNOWN")
	wantCode(t, w.refreshError(c, tokens.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	_, err = w.oauth.ExchangeCode(t.Context(), exchangeRequest(c, unredeemed))
	wantCode(t, err, "OAUTH_INVALID_GRANT")
	if w.introspect(c, tokens.GetAccessToken()).GetActive() || w.introspect(c, tokens.GetRefreshToken()).GetActive() {
		t.Error("a token is still active")
	}
	_, err = w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: before.GetId()})
	wantCode(t, err, "CONNECTION_NOT_FOUND")

	w.clock.Advance(time.Hour)
	again := w.connect(p, c, everything...)
	after := w.connectionOf(p)
	if after.GetId() == before.GetId() || !after.GetCreatedAt().AsTime().Equal(w.clock.Now()) {
		t.Errorf("consent after the disconnect gave %v", after)
	}
	if renewed := w.live(c, again.GetAccessToken()).GetPrincipal().GetCvLinkId(); renewed == link {
		t.Error("the link of the ended connection came back")
	}
}

func TestSharingOffTakesTheCVAwayAndOnGivesItBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, everything...)
	link := w.live(c, tokens.GetAccessToken()).GetPrincipal().GetCvLinkId()
	w.record(cvLink, c.app.GetAccountId(), link)
	conn := w.connectionOf(p)
	share := func(on bool) *authv1.Connection {
		resp, err := w.connections.UpdateConnection(t.Context(), &authv1.UpdateConnectionRequest{Actor: bySession(p), Id: conn.GetId(), CvSharing: &on})
		w.must(err)
		return resp.GetConnection()
	}
	without := []string{"profile", "email"}
	off := share(false)
	if off.GetCvSharing() || !off.GetCvGranted() || !slices.Equal(off.GetScopes(), without) {
		t.Errorf("off: %v", off)
	}
	got := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	if !slices.Equal(got.GetScopes(), without) || !slices.Equal(got.GetGrantedScopes(), without) || got.GetCvId() != "" || got.GetCvLinkId() != "" {
		t.Errorf("off: principal %v", got)
	}
	w.dead(cvLink, c.app.GetAccountId(), link)
	refreshed := w.refresh(c, tokens.GetRefreshToken())
	if !slices.Equal(refreshed.GetScopes(), without) {
		t.Errorf("off: refresh gives %v", refreshed.GetScopes())
	}
	if on := share(true); !on.GetCvSharing() || !slices.Equal(on.GetScopes(), everything) {
		t.Errorf("on: %v", on)
	}
	got = w.live(c, tokens.GetAccessToken()).GetPrincipal()
	if !slices.Equal(got.GetScopes(), everything) || got.GetCvId() != "master" || got.GetCvLinkId() == "" || got.GetCvLinkId() == link {
		t.Errorf("on: principal %v", got)
	}
	w.dead(cvLink, c.app.GetAccountId(), link)
	// A token never holds more than its answer said.
	if got := w.live(c, refreshed.GetAccessToken()).GetPrincipal().GetScopes(); !slices.Equal(got, without) {
		t.Errorf("a token issued while off has %v", got)
	}
}

func TestDurableLinkStaysTheSameWhileItsConsentLives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, everything...)
	link := w.live(c, tokens.GetAccessToken()).GetPrincipal().GetCvLinkId()
	again := w.connect(p, c, "profile", "cv:read")
	if got := w.live(c, again.GetAccessToken()).GetPrincipal().GetCvLinkId(); got != link {
		t.Errorf("link %q became %q", link, got)
	}
	r := w.record(cvLink, c.app.GetAccountId(), link)
	if got := r.GetPrincipal(); got.GetPersonId() != p.id || got.GetCvId() != "master" || !slices.Equal(got.GetScopes(), []string{"profile", "cv:read"}) {
		t.Errorf("principal of the link %v", got)
	}
	w.connect(p, c, "profile", "email") // without the CV
	w.dead(cvLink, c.app.GetAccountId(), link)
}

func TestConsentingAgainUpdatesTheConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	first := w.connect(p, c, everything...)
	w.live(c, first.GetAccessToken())
	before := w.connectionOf(p)
	w.clock.Advance(time.Minute)
	w.connect(p, c, "profile")
	after := w.connectionOf(p)
	if after.GetId() != before.GetId() || !after.GetCreatedAt().AsTime().Equal(before.GetCreatedAt().AsTime()) {
		t.Errorf("%v became %v", before, after)
	}
	if got := w.live(c, first.GetAccessToken()).GetPrincipal().GetScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("the first token still opens %v", got)
	}
	if got := w.refresh(c, first.GetRefreshToken()).GetScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("the first refresh token still gives %v", got)
	}
}

func TestAPIKeyDiesWhenDeletedOrExpired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	account := c.app.GetAccountId()
	create := func(life time.Duration) *authv1.CreateApiKeyResponse {
		req := &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Name: "k", Scopes: []string{"jobs:read", "companies:read"}}
		if life > 0 {
			req.ExpiresAt = timestamppb.New(w.clock.Now().Add(life))
		}
		resp, err := w.developers.CreateApiKey(t.Context(), req)
		w.must(err)
		return resp
	}
	forever, short := create(0), create(time.Minute)
	r := w.record(apiKey, account, forever.GetSecret())
	if got := r.GetPrincipal(); got.GetAppId() != c.app.GetId() || !slices.Equal(got.GetScopes(), []string{"companies:read", "jobs:read"}) || got.GetConnectionId() != "" {
		t.Errorf("principal %v", got)
	}
	if r.GetExpiresAt() != nil {
		t.Errorf("expires at %v", r.GetExpiresAt())
	}
	if got, err := w.resolve(apiKey, short.GetSecret()); err != nil || !got.GetExpiresAt().AsTime().Equal(w.clock.Now().Add(time.Minute)) {
		t.Errorf("record %v, %v", got, err)
	}
	w.clock.Advance(time.Minute)
	_, err := w.resolve(apiKey, short.GetSecret())
	wantCode(t, err, "CREDENTIAL_UNKNOWN")
	w.record(apiKey, account, forever.GetSecret())
	_, err = w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: forever.GetApiKey().GetId()})
	w.must(err)
	w.dead(apiKey, account, forever.GetSecret())
	keys, err := w.developers.ListApiKeys(t.Context(), &authv1.ListApiKeysRequest{AppId: c.app.GetId()})
	w.must(err)
	if len(keys.GetApiKeys()) != 1 || keys.GetApiKeys()[0].GetId() != short.GetApiKey().GetId() {
		t.Errorf("keys %v", keys)
	}
	_, err = w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: forever.GetApiKey().GetId()})
	wantCode(t, err, "API_KEY_NOT_FOUND")
}

func TestCredentialsOfOneKindOpenNothingAsAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	tokens := w.connect(w.person("a@example.com"), c, everything...)
	for _, secret := range []string{tokens.GetAccessToken(), tokens.GetRefreshToken()} {
		for _, as := range []identityv1.CredentialKind{apiKey, cvLink} {
			_, err := w.resolve(as, secret)
			wantCode(t, err, "CREDENTIAL_NOT_ISSUED")
		}
	}
	_, err := w.resolve(accessToken, tokens.GetRefreshToken())
	wantCode(t, err, "CREDENTIAL_NOT_ISSUED")
}

func TestLiveTokenWithoutItsConnectionRowSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, everything...)
	_, err := w.db.Exec(t.Context(), "DELETE FROM connections")
	w.must(err)
	_, err = w.resolve(accessToken, tokens.GetAccessToken())
	wantCode(t, err, "CONNECTION_NOT_FOUND")
	wantCode(t, w.refreshError(c, tokens.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	if w.introspect(c, tokens.GetAccessToken()).GetActive() {
		t.Error("active")
	}
	w.revoke(c, tokens.GetRefreshToken())
	_, err = w.resolve(accessToken, tokens.GetAccessToken())
	wantCode(t, err, "CREDENTIAL_UNKNOWN")
}
