package app_test

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// The rows of spec "Credentials and consent".

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	if !errs.HasCode(err, code) {
		t.Fatalf("error %v, want %s", err, code)
	}
}

func TestIssuedCodeIsExchangedForTokens(t *testing.T) {
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

func TestCodeExpiresAfterTenMinutes(t *testing.T) {
	w := newWorld(t)
	c := w.confidential()
	code := w.consent(w.person("a@example.com"), c, "profile")
	w.clock.Advance(10 * time.Minute)
	_, err := w.oauth.ExchangeCode(t.Context(), exchangeRequest(c, code))
	wantCode(t, err, "OAUTH_INVALID_GRANT")
}

func TestWhateverDoesNotMatchIsRefusedAndDoesNotBurnTheCode(t *testing.T) {
	w := newWorld(t)
	p, c, other := w.person("a@example.com"), w.confidential(), w.confidential()
	code := w.consent(p, c, "profile")
	spoil := map[string]func(*authv1.ExchangeCodeRequest){
		"another redirect_uri":                        func(r *authv1.ExchangeCodeRequest) { r.RedirectUri += "/" },
		"a registered redirect_uri that was not used": func(r *authv1.ExchangeCodeRequest) { r.RedirectUri = "http://127.0.0.1/cb" },
		"a wrong verifier":                            func(r *authv1.ExchangeCodeRequest) { r.CodeVerifier = "X" + verifier[1:] },
		"an unknown code":                             func(r *authv1.ExchangeCodeRequest) { r.Code = credential.New(credential.AuthorizationCode) },
		"a malformed code":                            func(r *authv1.ExchangeCodeRequest) { r.Code = "svc_ac_x" },
		"another client":                              func(r *authv1.ExchangeCodeRequest) { r.Client = other.auth() },
	}
	var message string
	for name, change := range spoil {
		req := exchangeRequest(c, code)
		change(req)
		_, err := w.oauth.ExchangeCode(t.Context(), req)
		wantCode(t, err, "OAUTH_INVALID_GRANT")
		e, _ := errs.As(err)
		if message != "" && e.Message != message {
			t.Errorf("%s answers %q, others %q", name, e.Message, message)
		}
		message = e.Message
	}
	w.live(c, w.exchange(c, code).GetAccessToken())
}

func TestUsedCodePresentedAgainRevokesWhatItIssued(t *testing.T) {
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

func TestUsedCodePresentedByAnotherClientHarmsNobody(t *testing.T) {
	w := newWorld(t)
	c, other := w.confidential(), w.confidential()
	code := w.consent(w.person("a@example.com"), c, "profile")
	tokens := w.exchange(c, code)
	_, err := w.oauth.ExchangeCode(t.Context(), exchangeRequest(other, code))
	wantCode(t, err, "OAUTH_INVALID_GRANT")
	w.live(c, tokens.GetAccessToken())
	w.refresh(c, tokens.GetRefreshToken())
}

func TestRefreshRotatesAndKeepsTheOldAccessToken(t *testing.T) {
	w := newWorld(t)
	c := w.confidential()
	first := w.connect(w.person("a@example.com"), c, everything...)
	second := w.refresh(c, first.GetRefreshToken())
	if second.GetRefreshToken() == first.GetRefreshToken() || second.GetAccessToken() == first.GetAccessToken() {
		t.Fatal("nothing was rotated")
	}
	w.live(c, first.GetAccessToken())
	w.live(c, second.GetAccessToken())
	if w.introspect(c, first.GetRefreshToken()).GetActive() {
		t.Error("the rotated token is still active")
	}
}

func TestRotatedRefreshTokenPresentedAgainEndsItsFamily(t *testing.T) {
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

func TestRefreshTokenPresentedByAnotherClientHarmsNobody(t *testing.T) {
	w := newWorld(t)
	c, other := w.confidential(), w.confidential()
	first := w.connect(w.person("a@example.com"), c, "profile")
	second := w.refresh(c, first.GetRefreshToken())
	for _, token := range []string{first.GetRefreshToken(), second.GetRefreshToken()} {
		wantCode(t, w.refreshError(other, token), "OAUTH_INVALID_GRANT")
		w.revoke(other, token)
	}
	w.revoke(other, second.GetAccessToken())
	w.live(c, second.GetAccessToken())
	w.refresh(c, second.GetRefreshToken())
}

func TestRefreshTokenLivesNinetyDaysFromItsLastRotation(t *testing.T) {
	const day = 24 * time.Hour
	w := newWorld(t)
	c := w.confidential()
	token := w.connect(w.person("a@example.com"), c, "profile").GetRefreshToken()
	for range 3 {
		w.clock.Advance(90*day - time.Second)
		token = w.refresh(c, token).GetRefreshToken()
	}
	w.clock.Advance(90 * day)
	if w.introspect(c, token).GetActive() {
		t.Error("active after ninety days")
	}
	wantCode(t, w.refreshError(c, token), "OAUTH_INVALID_GRANT")
}

func TestAccessTokenLivesOneHour(t *testing.T) {
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

func TestDisconnectEndsEverythingAtOnce(t *testing.T) {
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
	w := newWorld(t)
	c := w.confidential()
	tokens := w.connect(w.person("a@example.com"), c, everything...)
	for _, secret := range []string{tokens.GetAccessToken(), tokens.GetRefreshToken()} {
		for _, as := range []identityv1.CredentialKind{apiKey, cvLink} {
			_, err := w.resolve(as, secret)
			wantCode(t, err, "CREDENTIAL_UNKNOWN")
		}
	}
	_, err := w.resolve(accessToken, tokens.GetRefreshToken())
	wantCode(t, err, "CREDENTIAL_UNKNOWN")
}

func TestLiveTokenWithoutItsConnectionRowSaysSo(t *testing.T) {
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
