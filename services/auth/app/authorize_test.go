package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestAuthorizationRequestThatIsInOrderHasNoFault(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	cases := map[string]struct {
		change func(*authv1.AuthorizationParameters)
		scopes []string
	}{
		"as documented":                     {func(*authv1.AuthorizationParameters) {}, everything},
		"scopes in another order, repeated": {func(p *authv1.AuthorizationParameters) { p.Scope = "email profile email" }, []string{"profile", "email"}},
		"without profile":                   {func(p *authv1.AuthorizationParameters) { p.Scope = "email" }, []string{"email"}},
		"without state":                     {func(p *authv1.AuthorizationParameters) { p.State = "" }, everything},
		"loopback with a port":              {func(p *authv1.AuthorizationParameters) { p.RedirectUri = "http://127.0.0.1:51234/cb" }, everything},
	}
	for name, tc := range cases {
		p := parameters(c, allScopes)
		tc.change(p)
		resp, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: p})
		w.must(err)
		if resp.GetFault() != nil || !slices.Equal(resp.GetScopes(), tc.scopes) || resp.GetApp().GetId() != c.app.GetId() {
			t.Errorf("%s: %v", name, resp)
		}
	}
}

func TestBadClientOrRedirectURINeverRedirects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	cases := map[string]struct {
		change func(*authv1.AuthorizationParameters)
		code   string
		kind   errs.Kind
	}{
		"client_id missing":         {func(p *authv1.AuthorizationParameters) { p.ClientId = "" }, "OAUTH_INVALID_REQUEST", errs.Invalid},
		"client_id doubled":         {func(p *authv1.AuthorizationParameters) { p.Duplicated = []string{"client_id"} }, "OAUTH_INVALID_REQUEST", errs.Invalid},
		"client_id malformed":       {func(p *authv1.AuthorizationParameters) { p.ClientId = "x" }, "OAUTH_INVALID_CLIENT", errs.Unauthenticated},
		"client_id unknown":         {func(p *authv1.AuthorizationParameters) { p.ClientId = credential.New(credential.ClientID) }, "OAUTH_INVALID_CLIENT", errs.Unauthenticated},
		"client_id too long":        {func(p *authv1.AuthorizationParameters) { p.ClientId = strings.Repeat("x", 100_000) }, "OAUTH_INVALID_CLIENT", errs.Unauthenticated},
		"redirect_uri missing":      {func(p *authv1.AuthorizationParameters) { p.RedirectUri = "" }, "OAUTH_INVALID_REQUEST", errs.Invalid},
		"redirect_uri doubled":      {func(p *authv1.AuthorizationParameters) { p.Duplicated = []string{"redirect_uri"} }, "OAUTH_INVALID_REQUEST", errs.Invalid},
		"redirect_uri unregistered": {func(p *authv1.AuthorizationParameters) { p.RedirectUri += "/" }, "OAUTH_INVALID_REQUEST", errs.Invalid},
		"redirect_uri too long":     {func(p *authv1.AuthorizationParameters) { p.RedirectUri += strings.Repeat("x", 100_000) }, "OAUTH_INVALID_REQUEST", errs.Invalid},
	}
	for name, tc := range cases {
		p := parameters(c, allScopes)
		tc.change(p)
		resp, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: p})
		if !errs.HasCode(err, tc.code) || errs.KindOf(err) != tc.kind {
			t.Errorf("%s: %v, %v", name, resp, err)
		}
	}
}

func TestOtherFaultsGoToTheRedirectURI(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	person := w.person("a@example.com")
	narrow, err := w.developers.CreateApp(t.Context(), &authv1.CreateAppRequest{
		AccountId: c.app.GetAccountId(), Name: "Narrow", ClientType: authv1.ClientType_CLIENT_TYPE_PUBLIC,
		RedirectUris: []string{redirectURI}, Scopes: []string{"profile"},
	})
	w.must(err)
	keysAlone := w.marked()
	cases := map[string]struct {
		change func(*authv1.AuthorizationParameters)
		want   string
	}{
		"response_type missing":         {func(p *authv1.AuthorizationParameters) { p.ResponseType = "" }, "invalid_request"},
		"response_type doubled":         {func(p *authv1.AuthorizationParameters) { p.Duplicated = []string{"response_type"} }, "invalid_request"},
		"response_type unknown":         {func(p *authv1.AuthorizationParameters) { p.ResponseType = "token" }, "unsupported_response_type"},
		"code_challenge missing":        {func(p *authv1.AuthorizationParameters) { p.CodeChallenge = "" }, "invalid_request"},
		"code_challenge malformed":      {func(p *authv1.AuthorizationParameters) { p.CodeChallenge = "short" }, "invalid_request"},
		"code_challenge too long":       {func(p *authv1.AuthorizationParameters) { p.CodeChallenge = strings.Repeat("a", 10_000) }, "invalid_request"},
		"code_challenge_method missing": {func(p *authv1.AuthorizationParameters) { p.CodeChallengeMethod = "" }, "invalid_request"},
		"code_challenge_method plain":   {func(p *authv1.AuthorizationParameters) { p.CodeChallengeMethod = "plain" }, "invalid_request"},
		"scope missing":                 {func(p *authv1.AuthorizationParameters) { p.Scope = "" }, "invalid_scope"},
		"scope of spaces":               {func(p *authv1.AuthorizationParameters) { p.Scope = "  " }, "invalid_scope"},
		"scope unknown":                 {func(p *authv1.AuthorizationParameters) { p.Scope = "profile openid" }, "invalid_scope"},
		"scope of companies":            {func(p *authv1.AuthorizationParameters) { p.Scope = "jobs:read" }, "invalid_scope"},
		"scope too long":                {func(p *authv1.AuthorizationParameters) { p.Scope = strings.Repeat("profile ", 10_000) }, "invalid_request"},
		"cv:contact without cv:read":    {func(p *authv1.AuthorizationParameters) { p.Scope = "profile cv:contact" }, "invalid_scope"},
		"scope the app may not request": {func(p *authv1.AuthorizationParameters) {
			p.ClientId = narrow.GetApp().GetClientId()
			p.Scope = "profile email"
		}, "invalid_scope"},
		"app without scopes": {func(p *authv1.AuthorizationParameters) { p.ClientId = keysAlone.app.GetClientId() }, "unauthorized_client"},
		"state too long":     {func(p *authv1.AuthorizationParameters) { p.State = strings.Repeat("x", 4097) }, "invalid_request"},
		"state doubled":      {func(p *authv1.AuthorizationParameters) { p.Duplicated = []string{"state"} }, "invalid_request"},
	}
	for name, tc := range cases {
		p := parameters(c, allScopes)
		tc.change(p)
		resp, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: p})
		w.must(err)
		if resp.GetFault().GetError() != tc.want || resp.GetFault().GetDescription() == "" {
			t.Errorf("%s: check gives %v, want %s", name, resp.GetFault(), tc.want)
		}
		consent, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{Parameters: p, SessionToken: person.session, GrantedScopes: []string{"profile"}})
		w.must(err)
		if consent.GetFault().GetError() != tc.want || consent.GetCode() != "" {
			t.Errorf("%s: consent gives %v, want %s", name, consent, tc.want)
		}
	}
}

func TestParametersAreTakenUpToTheLengthThatTheDocumentSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := parameters(w.confidential(), "profile"+strings.Repeat(" ", 4096-len("profile")))
	p.State = strings.Repeat("x", 4096)
	resp, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: p})
	if err != nil || resp.GetFault() != nil {
		t.Errorf("%v, %v", resp.GetFault(), err)
	}
}

func TestPersonMayDropAnyScopeButProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	cases := []struct {
		name      string
		requested string
		granted   []string
		cvID      string
		code      string
	}{
		{"all", allScopes, everything, "master", ""},
		{"profile alone", allScopes, []string{"profile"}, "", ""},
		{"no contact details", allScopes, []string{"profile", "cv:read"}, "cv_0000000000000000000000000g", ""},
		{"profile was not requested", "email", []string{"email"}, "", ""},
		{"profile dropped", allScopes, []string{"email"}, "", "OAUTH_INVALID_SCOPE"},
		{"nothing granted", "email", nil, "", "OAUTH_INVALID_SCOPE"},
		{"more than requested", "profile", []string{"profile", "email"}, "", "OAUTH_INVALID_SCOPE"},
		{"contact details without the CV", allScopes, []string{"profile", "cv:contact"}, "master", "OAUTH_INVALID_SCOPE"},
		{"unknown", allScopes, []string{"profile", "x"}, "", "OAUTH_INVALID_SCOPE"},
		{"no CV chosen", allScopes, []string{"profile", "cv:read"}, "", "OAUTH_INVALID_REQUEST"},
		{"CV malformed", allScopes, []string{"profile", "cv:read"}, "../x", "OAUTH_INVALID_REQUEST"},
	}
	for _, tc := range cases {
		resp, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
			Parameters: parameters(c, tc.requested), SessionToken: p.session, GrantedScopes: tc.granted, CvId: tc.cvID,
		})
		if tc.code != "" {
			if !errs.HasCode(err, tc.code) {
				t.Errorf("%s: %v, %v", tc.name, resp, err)
			}
			continue
		}
		w.must(err)
		if got := w.exchange(c, resp.GetCode()).GetScopes(); !slices.Equal(got, tc.granted) {
			t.Errorf("%s: granted %v", tc.name, got)
		}
	}
}

func TestConsentNeedsASignedInPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	ask := func(session string) error {
		_, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{Parameters: parameters(c, "profile"), SessionToken: session, GrantedScopes: []string{"profile"}})
		return err
	}
	wantCode(t, ask("made up"), "SESSION_ENDED")
	w.clock.Advance(13 * time.Hour)
	wantCode(t, ask(p.session), "SESSION_ENDED")
}
