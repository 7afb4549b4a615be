package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const public, confidential = authv1.ClientType_CLIENT_TYPE_PUBLIC, authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL

// tokenCalls are the four calls that authenticate a client.
func (w *world) tokenCalls(auth *authv1.ClientAuthentication, tokens *authv1.TokenPair, code string) map[string]func() error {
	ctx := w.Context()
	return map[string]func() error{
		"exchange": func() error {
			_, err := w.oauth.ExchangeCode(ctx, &authv1.ExchangeCodeRequest{Client: auth, Code: code, RedirectUri: redirectURI, CodeVerifier: verifier})
			return err
		},
		"refresh": func() error {
			_, err := w.oauth.RefreshToken(ctx, &authv1.RefreshTokenRequest{Client: auth, RefreshToken: tokens.GetRefreshToken()})
			return err
		},
		"introspect": func() error {
			_, err := w.oauth.IntrospectToken(ctx, &authv1.IntrospectTokenRequest{Client: auth, Token: tokens.GetAccessToken()})
			return err
		},
		"revoke": func() error {
			_, err := w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: auth, Token: tokens.GetRefreshToken()})
			return err
		},
	}
}

func TestClientThatDoesNotAuthenticateGetsNothing(t *testing.T) {
	t.Parallel()
	secret, empty := credential.New(credential.ClientSecret), ""
	w := newWorld(t)
	p := w.person("a@example.com")
	for _, clientType := range []authv1.ClientType{public, confidential} {
		c := w.client(clientType)
		tokens, code := w.connect(p, c, everything...), w.consent(p, c, everything...)
		bad := map[string]*authv1.ClientAuthentication{
			"no client id":        {},
			"malformed client id": {ClientId: "x", ClientSecret: &secret},
			"unknown client id":   {ClientId: credential.New(credential.ClientID), ClientSecret: &secret},
			"wrong secret":        {ClientId: c.app.GetClientId(), ClientSecret: &secret},
		}
		if clientType == confidential {
			bad["no secret"] = &authv1.ClientAuthentication{ClientId: c.app.GetClientId()}
			bad["empty secret"] = &authv1.ClientAuthentication{ClientId: c.app.GetClientId(), ClientSecret: &empty}
		}
		for name, auth := range bad {
			for call, do := range w.tokenCalls(auth, tokens, code) {
				if err := do(); !errs.HasCode(err, "OAUTH_INVALID_CLIENT") || errs.KindOf(err) != errs.Unauthenticated {
					t.Errorf("%v, %s, %s: %v", clientType, name, call, err)
				}
			}
		}
		// Nothing was used up, and an empty secret is none.
		w.live(c, w.exchange(c, code).GetAccessToken())
		w.refresh(c, tokens.GetRefreshToken())
	}
}

func TestSuspendedAccountIsRefusedEverywhereAndResumes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	account := c.app.GetAccountId()
	tokens, code := w.connect(p, c, everything...), w.consent(p, c, everything...)
	link := w.live(c, tokens.GetAccessToken()).GetPrincipal().GetCvLinkId()
	w.record(cvLink, account, link)
	suspended, err := w.developers.SuspendAccount(t.Context(), &authv1.SuspendAccountRequest{Id: account})
	w.must(err)
	if !suspended.GetAccount().GetSuspendedAt().AsTime().Equal(w.clock.Now()) {
		t.Errorf("account %v", suspended.GetAccount())
	}
	if !w.live(c, tokens.GetAccessToken()).GetAccountSuspended() || !w.record(cvLink, account, link).GetAccountSuspended() {
		t.Error("a record does not say suspended")
	}
	calls := w.tokenCalls(c.auth(), tokens, code)
	delete(calls, "revoke") // TestSuspendedAccountCanRevokeItsTokens
	for call, do := range calls {
		if err := do(); !errs.HasCode(err, "DEVELOPER_ACCOUNT_SUSPENDED") || errs.KindOf(err) != errs.Denied {
			t.Errorf("%s: %v", call, err)
		}
	}
	_, err = w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: parameters(c, "profile")})
	wantCode(t, err, "DEVELOPER_ACCOUNT_SUSPENDED")
	_, err = w.developers.ResumeAccount(t.Context(), &authv1.ResumeAccountRequest{Id: account})
	w.must(err)
	if w.live(c, tokens.GetAccessToken()).GetAccountSuspended() {
		t.Error("still suspended")
	}
	w.exchange(c, code)
	w.refresh(c, tokens.GetRefreshToken())
}

func TestSuspendedAccountCanRevokeItsTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c, legacy := w.person("a@example.com"), w.confidential(), w.legacyClient()
	stolen, kept := w.connect(p, c, everything...), w.connect(w.person("b@example.com"), c, everything...)
	older := w.legacyConnect(p, legacy)
	for _, account := range []string{c.app.GetAccountId(), legacy.app.GetAccountId()} {
		_, err := w.developers.SuspendAccount(t.Context(), &authv1.SuspendAccountRequest{Id: account})
		w.must(err)
	}
	wrong := c
	wrong.secret = credential.New(credential.ClientSecret)
	_, err := w.oauth.RevokeToken(t.Context(), &authv1.RevokeTokenRequest{Client: wrong.auth(), Token: kept.GetRefreshToken()})
	wantCode(t, err, "OAUTH_INVALID_CLIENT")
	w.revoke(c, stolen.GetRefreshToken())
	w.revoke(c, "unknown")
	w.revoke(legacy, older)
	for _, account := range []string{c.app.GetAccountId(), legacy.app.GetAccountId()} {
		_, err := w.developers.ResumeAccount(t.Context(), &authv1.ResumeAccountRequest{Id: account})
		w.must(err)
	}
	w.dead(accessToken, c.app.GetAccountId(), stolen.GetAccessToken())
	wantCode(t, w.refreshError(c, stolen.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	w.dead(legacyToken, legacy.app.GetAccountId(), older)
	w.live(c, kept.GetAccessToken())
	w.refresh(c, kept.GetRefreshToken())
}

func TestChangedPlanIsInForceAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	token := w.connect(w.person("a@example.com"), c, "profile").GetAccessToken()
	w.live(c, token)
	set := func(p *authv1.Plan) *authv1.Plan {
		_, err := w.developers.SetAccountPlan(t.Context(), &authv1.SetAccountPlanRequest{Id: c.app.GetAccountId(), Plan: p})
		w.must(err)
		return w.live(c, token).GetPlan()
	}
	if got := set(&authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED}); got.GetPerMinute() != 1000 || got.GetPerDay() != 200_000 {
		t.Errorf("elevated: %v", got)
	}
	custom := &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 7, PerDay: 70}
	if got := set(custom); !proto.Equal(got, custom) {
		t.Errorf("custom: %v", got)
	}
}

func TestRotatedClientSecretStopsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	tokens := w.connect(w.person("a@example.com"), c, "profile")
	resp, err := w.developers.RotateClientSecret(t.Context(), &authv1.RotateClientSecretRequest{AppId: c.app.GetId()})
	w.must(err)
	wantCode(t, w.refreshError(c, tokens.GetRefreshToken()), "OAUTH_INVALID_CLIENT")
	w.refresh(client{app: c.app, secret: resp.GetClientSecret()}, tokens.GetRefreshToken())
	_, err = w.developers.RotateClientSecret(t.Context(), &authv1.RotateClientSecretRequest{AppId: w.client(public).app.GetId()})
	wantCode(t, err, "APP_IS_PUBLIC")
}

func TestMissingAndMalformedTokenParametersAreNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	code := w.consent(p, c, "profile")
	exchange := map[string]func(*authv1.ExchangeCodeRequest){
		"code":          func(r *authv1.ExchangeCodeRequest) { r.Code = "" },
		"redirect_uri":  func(r *authv1.ExchangeCodeRequest) { r.RedirectUri = "" },
		"code_verifier": func(r *authv1.ExchangeCodeRequest) { r.CodeVerifier = "" },
	}
	for _, malformed := range []string{"short", strings.Repeat("a", 129), strings.Repeat("a", 42) + "+", strings.Repeat("a", 100_000)} {
		r := exchangeRequest(c, code)
		r.CodeVerifier = malformed
		_, err := w.oauth.ExchangeCode(t.Context(), r)
		wantField(t, err, "code_verifier")
	}
	for field, change := range exchange {
		r := exchangeRequest(c, code)
		change(r)
		_, err := w.oauth.ExchangeCode(t.Context(), r)
		wantField(t, err, field)
	}
	_, err := w.oauth.RefreshToken(t.Context(), &authv1.RefreshTokenRequest{Client: c.auth()})
	wantField(t, err, "refresh_token")
	_, err = w.oauth.IntrospectToken(t.Context(), &authv1.IntrospectTokenRequest{Client: c.auth()})
	wantField(t, err, "token")
	_, err = w.oauth.RevokeToken(t.Context(), &authv1.RevokeTokenRequest{Client: c.auth()})
	wantField(t, err, "token")
	w.exchange(c, code)
}

func wantField(t testing.TB, err error, field string) {
	t.Helper()
	if e, ok := errs.As(err); !ok || e.Code != "OAUTH_INVALID_REQUEST" || e.Field() != field {
		t.Errorf("error %v, want OAUTH_INVALID_REQUEST naming %s", err, field)
	}
}

func TestAppThatMayAskForNothingMayUseNoGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.marked()
	legacyCode := w.legacyConsent(p, c)
	refresh := func(token string) error {
		_, err := w.oauth.RefreshToken(t.Context(), &authv1.RefreshTokenRequest{Client: c.auth(), RefreshToken: token})
		return err
	}
	exchange := func(code string) error {
		_, err := w.oauth.ExchangeCode(t.Context(), exchangeRequest(c, code))
		return err
	}
	for name, err := range map[string]error{
		"no code":                 exchange(""),
		"unknown code":            exchange(credential.New(credential.AuthorizationCode)),
		"code of the legacy kind": exchange(legacyCode),
		"no refresh token":        refresh(""),
		"malformed refresh token": refresh("x"),
		"unknown refresh token":   refresh(credential.New(credential.RefreshToken)),
	} {
		if !errs.HasCode(err, "OAUTH_UNAUTHORIZED_CLIENT") || errs.KindOf(err) != errs.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	token := w.legacyExchange(c, legacyCode)
	w.legacyLive(c, token)
	if err := exchange(legacyCode); !errs.HasCode(err, "OAUTH_UNAUTHORIZED_CLIENT") {
		t.Errorf("used code: %v", err)
	}
	w.dead(legacyToken, c.app.GetAccountId(), token)
	for call, do := range w.tokenCalls(c.auth(), &authv1.TokenPair{AccessToken: token, RefreshToken: credential.New(credential.RefreshToken)}, legacyCode) {
		if err := do(); (call == "introspect" || call == "revoke") && err != nil {
			t.Errorf("%s: %v", call, err)
		}
	}
	c.secret = credential.New(credential.ClientSecret)
	if err := refresh("x"); !errs.HasCode(err, "OAUTH_INVALID_CLIENT") {
		t.Errorf("with a wrong secret: %v", err)
	}
}

func TestRefreshMayNarrowTheAccessTokenOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, "profile", "cv:read")
	refresh := func(scope string) (*authv1.TokenPair, error) {
		resp, err := w.oauth.RefreshToken(t.Context(), &authv1.RefreshTokenRequest{Client: c.auth(), RefreshToken: tokens.GetRefreshToken(), Scope: &scope})
		if err == nil {
			tokens = resp.GetTokens()
		}
		return resp.GetTokens(), err
	}
	narrow, err := refresh("profile")
	w.must(err)
	r := w.live(c, narrow.GetAccessToken()).GetPrincipal()
	if !slices.Equal(narrow.GetScopes(), []string{"profile"}) || !slices.Equal(r.GetScopes(), []string{"profile"}) ||
		!slices.Equal(r.GetGrantedScopes(), []string{"profile", "cv:read"}) || r.GetCvLinkId() != "" {
		t.Errorf("narrowed: %v, principal %v", narrow.GetScopes(), r)
	}
	for _, wide := range []string{"profile email", "email", "cv:read cv:contact", "cv:contact", "openid", strings.Repeat("cv:read ", 100)} {
		_, err := refresh(wide)
		if wide == strings.Repeat("cv:read ", 100) {
			w.must(err) // long, but not too long
			continue
		}
		wantCode(t, err, "OAUTH_INVALID_SCOPE")
	}
	_, err = refresh(strings.Repeat("profile ", 1000))
	wantCode(t, err, "OAUTH_INVALID_REQUEST")
	for _, all := range []string{"", " ", "cv:read profile"} {
		got, err := refresh(all)
		w.must(err)
		if !slices.Equal(got.GetScopes(), []string{"profile", "cv:read"}) {
			t.Errorf("scope %q gives %v", all, got.GetScopes())
		}
	}
}

func TestGrantOfWhichNothingIsInForceSurvivesUntilItIsAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	resp, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
		Parameters: parameters(c, "cv:read"), SessionToken: p.session, GrantedScopes: []string{"cv:read"}, CvId: "master",
	})
	w.must(err)
	tokens := w.exchange(c, resp.GetCode())
	id := w.connectionOf(p).GetId()
	share := func(on bool) {
		_, err := w.connections.UpdateConnection(t.Context(), &authv1.UpdateConnectionRequest{Actor: bySession(p), Id: id, CvSharing: &on})
		w.must(err)
	}
	share(false)
	wantCode(t, w.refreshError(c, tokens.GetRefreshToken()), "OAUTH_INVALID_SCOPE")
	share(true)
	w.refresh(c, tokens.GetRefreshToken())
}

func TestOnlyTheOwningClientLearnsOfAToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c, other := w.person("a@example.com"), w.confidential(), w.client(public)
	tokens := w.connect(p, c, "profile", "email")
	conn := w.connectionOf(p)
	for token, life := range map[string]time.Duration{tokens.GetAccessToken(): time.Hour, tokens.GetRefreshToken(): 90 * 24 * time.Hour} {
		got := w.introspect(c, token)
		if !got.GetActive() || got.GetClientId() != c.app.GetClientId() || got.GetPersonId() != p.id ||
			got.GetConnectionId() != conn.GetId() || !slices.Equal(got.GetScopes(), []string{"profile", "email"}) ||
			!got.GetExpiresAt().AsTime().Equal(started.Add(life)) {
			t.Errorf("introspection %v", got)
		}
	}
	expired := w.connect(p, c, "profile")
	w.clock.Advance(2 * time.Hour)
	again := w.connect(p, c, "profile")
	revoked := again.GetAccessToken()
	w.revoke(c, revoked)
	key, err := w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}})
	w.must(err)
	inactive := &authv1.IntrospectTokenResponse{}
	for name, token := range map[string]string{
		"unknown": credential.New(credential.AccessToken), "unknown refresh": credential.New(credential.RefreshToken),
		"malformed": "x", "expired": expired.GetAccessToken(), "revoked": revoked, "api key": key.GetSecret(),
		"NUL": "svc_at_\x00", "long": strings.Repeat("x", 100_000),
	} {
		if got := w.introspect(c, token); !proto.Equal(got, inactive) {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, token := range []string{again.GetRefreshToken(), again.GetAccessToken()} {
		if got := w.introspect(other, token); !proto.Equal(got, inactive) {
			t.Errorf("another client learns %v", got)
		}
	}
}

func TestRevokingWhatIsNoTokenSucceeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	for _, token := range []string{"x", credential.New(credential.AccessToken), credential.New(credential.RefreshToken), c.secret, strings.Repeat("x", 100_000)} {
		w.revoke(c, token)
	}
	if n := w.outbox(); n != 0 {
		t.Errorf("%d entries", n)
	}
}
