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
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestLegacyCodeIsExchangedForAnAccessTokenAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	code := w.legacyConsent(p, c)
	w.clock.Advance(10*time.Minute - time.Second)
	issued, err := w.tryLegacyExchange(c.auth(), code)
	w.must(err)
	token := issued.GetAccessToken()
	if !credential.WellFormed(credential.AccessToken, token) || issued.GetExpiresIn() != 3600 ||
		!slices.Equal(issued.GetScopes(), []string{profileRead}) {
		t.Fatalf("issued %v", issued)
	}
	conn, r := w.legacyConnectionOf(p), w.legacyLive(c, token)
	got := r.GetPrincipal()
	if got.GetKind() != legacyToken || got.GetPersonId() != p.id || got.GetAppId() != c.app.GetId() ||
		got.GetAccountId() != c.app.GetAccountId() || got.GetConnectionId() != conn.GetId() || !got.GetSharePhoto() ||
		got.GetCvId() != "" || got.GetCvLinkId() == "" ||
		!slices.Equal(got.GetScopes(), []string{profileRead}) || !slices.Equal(got.GetGrantedScopes(), []string{profileRead}) {
		t.Errorf("principal %v", got)
	}
	if r.GetPlan().GetPerMinute() != 300 || !r.GetExpiresAt().AsTime().Equal(w.clock.Now().Add(time.Hour)) {
		t.Errorf("record %v", r)
	}
	var withRefreshToken int
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM token_families WHERE refresh_hash IS NOT NULL").Scan(&withRefreshToken))
	if withRefreshToken != 0 {
		t.Error("a refresh token was issued")
	}
}

func TestLegacyLinkOpensTheMainCvUntilTheConsentEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	token := w.legacyConnect(p, c)
	link := w.legacyLive(c, token).GetPrincipal().GetCvLinkId()
	got := w.record(cvLink, c.app.GetAccountId(), link).GetPrincipal()
	if got.GetKind() != cvLink || got.GetPersonId() != p.id || got.GetCvId() != "master" || got.GetCvLinkId() != link ||
		!got.GetSharePhoto() || !slices.Equal(got.GetScopes(), []string{"profile", "email", "cv:read", profileRead}) {
		t.Errorf("principal of the link %v", got)
	}
	if again := w.legacyLive(c, w.legacyConnect(p, c)).GetPrincipal().GetCvLinkId(); again != link {
		t.Errorf("link %q became %q", link, again)
	}
	w.clock.Advance(2 * time.Hour)
	w.loseRecords(c)
	if w.record(cvLink, c.app.GetAccountId(), link) == nil {
		t.Error("the link died with its token")
	}
}

// If the link is gone for any reason, the next read of a token makes a new one.
func TestLiveLegacyTokenWithoutALinkGetsOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.legacyClient()
	token := w.legacyConnect(w.person("a@example.com"), c)
	_, err := w.db.Exec(t.Context(), "UPDATE cv_links SET ended_at = $1", w.clock.Now())
	w.must(err)
	if w.legacyLive(c, token).GetPrincipal().GetCvLinkId() == "" {
		t.Error("no link")
	}
}

func TestOnlyMarkedConfidentialAppsMayUseTheLegacyInterface(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, marked := w.person("a@example.com"), w.legacyClient()
	code := w.legacyConsent(p, marked)
	for name, c := range map[string]client{"not marked": w.confidential(), "public": w.markedPublic()} {
		_, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: legacyParameters(c)})
		_, consented := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
			Parameters: legacyParameters(c), SessionToken: p.session, GrantedScopes: []string{profileRead},
		})
		_, authenticated := w.legacy.AuthenticateLegacyClient(t.Context(), &authv1.AuthenticateLegacyClientRequest{Client: c.auth()})
		_, exchanged := w.tryLegacyExchange(c.auth(), code)
		_, malformed := w.tryLegacyExchange(c.auth(), "")
		for call, err := range map[string]error{
			"check": err, "consent": consented, "authenticate": authenticated, "exchange": exchanged, "exchange of nothing": malformed,
		} {
			if !errs.HasCode(err, "OAUTH_INVALID_CLIENT") || errs.KindOf(err) != errs.Unauthenticated {
				t.Errorf("%s: %s: %v", name, call, err)
			}
		}
	}
	named, err := w.legacy.AuthenticateLegacyClient(t.Context(), &authv1.AuthenticateLegacyClientRequest{Client: marked.auth()})
	w.must(err)
	if named.GetAppId() != marked.app.GetId() || named.GetAccountId() != marked.app.GetAccountId() {
		t.Errorf("the client is %v", named)
	}
	w.legacyExchange(marked, code)
}

func TestLegacyAuthorizationRequestIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, p := w.legacyClient(), w.person("a@example.com")
	for name, tc := range map[string]struct {
		change func(*authv1.AuthorizationParameters)
		fault  string // for the redirect URI
		code   string // of an error, which must not redirect
	}{
		"as documented":             {change: func(*authv1.AuthorizationParameters) {}},
		"with state":                {change: func(p *authv1.AuthorizationParameters) { p.State = "xyz" }},
		"PKCE is overlooked":        {change: func(p *authv1.AuthorizationParameters) { p.CodeChallenge, p.CodeChallengeMethod = "x", "plain" }},
		"scope missing":             {change: func(p *authv1.AuthorizationParameters) { p.Scope = "" }, fault: "invalid_scope"},
		"a modern scope":            {change: func(p *authv1.AuthorizationParameters) { p.Scope = "profile" }, fault: "invalid_scope"},
		"a modern scope beside it":  {change: func(p *authv1.AuthorizationParameters) { p.Scope += " profile" }, fault: "invalid_scope"},
		"response_type missing":     {change: func(p *authv1.AuthorizationParameters) { p.ResponseType = "" }, fault: "invalid_request"},
		"response_type unknown":     {change: func(p *authv1.AuthorizationParameters) { p.ResponseType = "token" }, fault: "unsupported_response_type"},
		"state too long":            {change: func(p *authv1.AuthorizationParameters) { p.State = strings.Repeat("x", 4097) }, fault: "invalid_request"},
		"state doubled":             {change: func(p *authv1.AuthorizationParameters) { p.Duplicated = []string{"state"} }, fault: "invalid_request"},
		"client_id missing":         {change: func(p *authv1.AuthorizationParameters) { p.ClientId = "" }, code: "OAUTH_INVALID_REQUEST"},
		"client_id unknown":         {change: func(p *authv1.AuthorizationParameters) { p.ClientId = credential.New(credential.ClientID) }, code: "OAUTH_INVALID_CLIENT"},
		"redirect_uri missing":      {change: func(p *authv1.AuthorizationParameters) { p.RedirectUri = "" }, code: "OAUTH_INVALID_REQUEST"},
		"redirect_uri unregistered": {change: func(p *authv1.AuthorizationParameters) { p.RedirectUri += "/" }, code: "OAUTH_INVALID_REQUEST"},
	} {
		params := legacyParameters(c)
		tc.change(params)
		checked, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: params})
		if tc.code != "" {
			if !errs.HasCode(err, tc.code) {
				t.Errorf("%s: %v, %v", name, checked, err)
			}
			continue
		}
		w.must(err)
		consented, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
			Parameters: params, SessionToken: p.session, GrantedScopes: []string{profileRead},
		})
		w.must(err)
		if checked.GetFault().GetError() != tc.fault || consented.GetFault().GetError() != tc.fault || (consented.GetCode() == "") != (tc.fault != "") {
			t.Errorf("%s: check gives %v, consent %v", name, checked.GetFault(), consented)
		}
		if tc.fault == "" && (!slices.Equal(checked.GetScopes(), []string{profileRead}) || checked.GetApp().GetId() != c.app.GetId()) {
			t.Errorf("%s: %v", name, checked)
		}
	}
}

func TestLegacyProfileIsGrantedAsAWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	for _, granted := range [][]string{nil, {"profile"}, {profileRead, "profile"}, {profileRead, profileRead}} {
		_, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
			Parameters: legacyParameters(c), SessionToken: p.session, GrantedScopes: granted,
		})
		if !errs.HasCode(err, "OAUTH_INVALID_SCOPE") {
			t.Errorf("%q: %v", granted, err)
		}
	}
	_, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
		Parameters: legacyParameters(c), SessionToken: "made up", GrantedScopes: []string{profileRead},
	})
	wantCode(t, err, "SESSION_ENDED")
	// Without the photo, and with a choice of CV that means nothing here.
	resp, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
		Parameters: legacyParameters(c), SessionToken: p.session, GrantedScopes: []string{profileRead}, CvId: "master",
	})
	w.must(err)
	got := w.legacyLive(c, w.legacyExchange(c, resp.GetCode())).GetPrincipal()
	if got.GetSharePhoto() || got.GetCvId() != "" {
		t.Errorf("principal %v", got)
	}
	// Consenting again with the photo is in force at once.
	token := w.legacyConnect(p, c)
	if !w.legacyLive(c, token).GetPrincipal().GetSharePhoto() {
		t.Error("the photo is not shared")
	}
}

func TestTheScopeOfTheLegacyInterfaceIsUnknownToTheOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.marked("profile", profileRead)
	if got := c.app.GetScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("the app may request %v", got)
	}
	for _, scope := range []string{profileRead, "profile " + profileRead} {
		params := parameters(c, scope)
		resp, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: params})
		w.must(err)
		if resp.GetFault().GetError() != "invalid_scope" {
			t.Errorf("%q: %v", scope, resp)
		}
	}
	_, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
		Parameters: parameters(c, "profile"), SessionToken: p.session, GrantedScopes: []string{"profile", profileRead},
	})
	wantCode(t, err, "OAUTH_INVALID_SCOPE")
	tokens := w.exchange(c, w.profileConsent(p, c))
	_, err = w.oauth.RefreshToken(t.Context(), &authv1.RefreshTokenRequest{
		Client: c.auth(), RefreshToken: tokens.GetRefreshToken(), Scope: proto.String(profileRead),
	})
	wantCode(t, err, "OAUTH_INVALID_SCOPE")
	_, err = w.developers.CreateApp(t.Context(), &authv1.CreateAppRequest{
		AccountId: c.app.GetAccountId(), Name: "Not marked", ClientType: confidential, Scopes: []string{"profile", profileRead},
	})
	if e, _ := errs.As(err); e == nil || e.Kind != errs.Invalid || e.Field() != "scopes[1]" {
		t.Errorf("an app that is not marked: %v", err)
	}
}

func TestConsentsOfBothInterfacesLiveSideBySide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	modern, legacy := w.connect(p, c, everything...).GetAccessToken(), w.legacyConnect(p, c)
	both, err := w.connections.ListConnections(t.Context(), &authv1.ListConnectionsRequest{Actor: bySession(p)})
	w.must(err)
	if len(both.GetConnections()) != 2 {
		t.Fatalf("connections %v", both.GetConnections())
	}
	old := w.legacyConnectionOf(p)
	if old.GetCvGranted() || old.GetCvSharing() || old.GetCvId() != "" || !old.GetSharePhoto() || !slices.Equal(old.GetScopes(), []string{profileRead}) {
		t.Errorf("connection of the legacy interface %v", old)
	}
	links := map[string]bool{
		w.live(c, modern).GetPrincipal().GetCvLinkId():       true,
		w.legacyLive(c, legacy).GetPrincipal().GetCvLinkId(): true,
	}
	if len(links) != 2 {
		t.Error("the consents share a link")
	}
	for _, change := range []*authv1.UpdateConnectionRequest{
		{CvId: proto.String("master")}, {CvSharing: proto.Bool(true)}, {CvSharing: proto.Bool(false)},
	} {
		change.Actor, change.Id = bySession(p), old.GetId()
		_, err := w.connections.UpdateConnection(t.Context(), change)
		if !errs.HasCode(err, "CV_NOT_GRANTED") || errs.KindOf(err) != errs.Precondition {
			t.Errorf("%v: %v", change, err)
		}
	}
	_, err = w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: old.GetId()})
	w.must(err)
	w.dead(legacyToken, c.app.GetAccountId(), legacy)
	w.dead(accessToken, c.app.GetAccountId(), modern)
	again := w.legacyConnect(p, c)
	if after := w.legacyConnectionOf(p); after.GetId() == old.GetId() {
		t.Error("the consent after a disconnect is the one before it")
	}
	w.legacyLive(c, again)
	w.dead(accessToken, c.app.GetAccountId(), modern)
}

func TestLegacyCredentialsAreOfTheirKindOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	account := c.app.GetAccountId()
	modern, legacy := w.connect(p, c, everything...).GetAccessToken(), w.legacyConnect(p, c)
	link := w.legacyLive(c, legacy).GetPrincipal().GetCvLinkId()
	w.live(c, modern)
	key, err := w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}})
	w.must(err)
	own := map[string]identityv1.CredentialKind{legacy: legacyToken, modern: accessToken, link: cvLink, key.GetSecret(): apiKey}
	kinds := []identityv1.CredentialKind{legacyToken, accessToken, cvLink, apiKey}
	for _, later := range []time.Duration{0, 2 * time.Hour} { // live, and expired
		w.clock.Advance(later)
		for secret, is := range own {
			for _, kind := range kinds {
				if kind == is {
					continue
				}
				if r, err := w.resolve(kind, secret); !errs.HasCode(err, "CREDENTIAL_NOT_ISSUED") {
					t.Errorf("a %v as %v: %v, %v", is, kind, r, err)
				}
				w.dead(kind, account, secret)
			}
			if is == legacyToken {
				continue
			}
			if err := w.legacyRevoke(secret); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
				t.Errorf("a %v is revoked as a token of the legacy interface: %v", is, err)
			}
		}
	}
}
