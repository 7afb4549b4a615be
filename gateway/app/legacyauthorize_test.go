package app_test

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestLegacyAuthorizeRedirects(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	var asked *authv1.AuthorizationParameters
	var fault *authv1.AuthorizationFault
	s.auth.check = func(p *authv1.AuthorizationParameters) (*authv1.CheckAuthorizationResponse, error) {
		asked = p
		return &authv1.CheckAuthorizationResponse{Fault: fault}, nil
	}
	good := url.Values{
		"response_type": {"code"}, "client_id": {"svc_ci_x"}, "redirect_uri": {redirectURI}, "scope": {"profile:read"}, "state": {"a b&ü=/"},
	}
	raw := good.Encode() + "&code_challenge=x&unknown=%7e"
	a := s.authorize(raw)
	if want := appURL + "/oauth/legacy/authorize?" + raw; a.StatusCode != 302 || a.Header.Get("Location") != want {
		t.Errorf("%d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	if !asked.GetLegacy() || asked.GetCodeChallenge() != "" || asked.GetScope() != "profile:read" || asked.GetState() != "a b&ü=/" {
		t.Errorf("auth received %v", asked)
	}
	fault = &authv1.AuthorizationFault{Error: "invalid_scope", Description: "no"}
	back := func(a answer) url.Values {
		u, err := url.Parse(a.Header.Get("Location"))
		if err != nil || a.StatusCode != 302 || !strings.HasPrefix(u.String(), redirectURI+"&") {
			t.Fatalf("%d to %s", a.StatusCode, u)
		}
		return u.Query()
	}
	if got := back(s.authorize(good.Encode())); !maps.EqualFunc(got, url.Values{"error": {"invalid_scope"}, "state": {"a b&ü=/"}, "keep": {"1"}}, equalStrings) {
		t.Errorf("the app receives %v", got)
	}
	doubled := good.Encode() + "&state=x"
	if got := back(s.authorize(doubled)); got.Get("error") != "invalid_request" || got.Has("state") {
		t.Errorf("the app receives %v", got)
	}
}

func equalStrings(a, b []string) bool { return strings.Join(a, "\x00") == strings.Join(b, "\x00") }

func TestLegacyUntrustedAppGetsNoRedirect(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	query := "client_id=x&redirect_uri=https%3A%2F%2Fx.example"
	for _, c := range []struct {
		query  string
		err    *errs.Error
		status int
		code   string
	}{
		{query, errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "x"), 401, "INVALID_CLIENT"},
		{query, errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "x").WithField("redirect_uri"), 400, "INVALID_REDIRECT_URI"},
		{"client_id=x", errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "x").WithField("redirect_uri"), 400, "INVALID_REQUEST"},
		{"", errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "x").WithField("client_id"), 400, "INVALID_REQUEST"},
		{query + "&client_id=y", nil, 400, "INVALID_REQUEST"},
		{query + "&redirect_uri=y", nil, 400, "INVALID_REQUEST"},
		{"client_id=%zz", nil, 400, "INVALID_REQUEST"},
		{query, errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "x"), 403, "ACCESS_DENIED"},
		{query, errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "x"), 503, "SERVICE_UNAVAILABLE"},
	} {
		s.failing(c.err)
		a := s.authorize(c.query)
		a.wantLegacy(t, c.status, c.code)
		if a.Header.Get("Location") != "" {
			t.Errorf("%s: redirected to %s", c.code, a.Header.Get("Location"))
		}
	}
}
