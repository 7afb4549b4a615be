package app_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const redirectURI = "https://partner.example/cb?keep=1"

var authorization = url.Values{
	"response_type": {"code"}, "client_id": {"svc_ci_x"}, "redirect_uri": {redirectURI}, "scope": {"profile cv:read"},
	"state": {"a b&ü=/"}, "code_challenge": {"c"}, "code_challenge_method": {"S256"},
}

// newAuthorizeScene returns a scene whose auth service accepts every authorization request. It also returns
// the last request that the service received.
func newAuthorizeScene(t *testing.T) (*scene, *authv1.AuthorizationParameters) {
	s, got := newScene(t), &authv1.AuthorizationParameters{}
	s.auth.check = func(p *authv1.AuthorizationParameters) (*authv1.CheckAuthorizationResponse, error) {
		proto.Reset(got)
		proto.Merge(got, p)
		return &authv1.CheckAuthorizationResponse{}, nil
	}
	return s, got
}

func (s *scene) authorize(query string) answer {
	s.t.Helper()
	return s.do(http.MethodGet, "/oauth/authorize?"+query, "")
}

// wantBack checks that a is a redirect to the app and returns its parameters.
func (a answer) wantBack(t *testing.T, code string) url.Values {
	t.Helper()
	location := a.Header.Get("Location")
	u, err := url.Parse(location)
	if err != nil || a.StatusCode != 302 || !strings.HasPrefix(location, redirectURI+"&") {
		t.Fatalf("%d %q: %v", a.StatusCode, location, err)
	}
	q := u.Query()
	if q.Get("error") != code || q.Get("error_description") == "" || q.Get("iss") != baseURL || q.Get("keep") != "1" || q.Has("code") {
		t.Errorf("redirected to the app with %v, want error %s", q, code)
	}
	return q
}

func TestValidRequestReachesConsentPage(t *testing.T) {
	t.Parallel()
	s, got := newAuthorizeScene(t)
	raw := authorization.Encode() + "&unknown=%7e&unknown=2"
	a := s.authorize(raw)
	if want := appURL + "/oauth/authorize?" + raw; a.StatusCode != 302 || a.Header.Get("Location") != want {
		t.Errorf("%d\n got %s\nwant %s", a.StatusCode, a.Header.Get("Location"), want)
	}
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("%v", a.Header)
	}
	if got.GetClientId() != "svc_ci_x" || got.GetRedirectUri() != redirectURI || got.GetState() != "a b&ü=/" || got.GetCodeChallengeMethod() != "S256" ||
		got.GetResponseType() != "code" || got.GetScope() != "profile cv:read" || got.GetCodeChallenge() != "c" || got.GetDuplicated() != nil {
		t.Errorf("auth received %v", got)
	}
	if head := s.do(http.MethodHead, "/oauth/authorize?"+raw, ""); head.StatusCode != 302 {
		t.Errorf("HEAD: %d", head.StatusCode)
	}
}

func TestUntrustedAppGetsNoRedirect(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for status, err := range map[int]*errs.Error{
		401: errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "Unknown client."),
		400: errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "Unknown redirect_uri."),
		403: errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "Suspended."),
		503: errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "Down."),
	} {
		s.failing(err)
		a := s.authorize(authorization.Encode())
		a.wantEnvelope(t, status, err.Code)
		if a.Header.Get("Location") != "" {
			t.Errorf("%s: redirected to %s", err.Code, a.Header.Get("Location"))
		}
		if strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Basic") {
			t.Errorf("%s: a browser would prompt for a password: %v", err.Code, a.Header)
		}
	}
}

func TestInvalidScopeRedirectsToApp(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.auth.check = func(*authv1.AuthorizationParameters) (*authv1.CheckAuthorizationResponse, error) {
		return &authv1.CheckAuthorizationResponse{Fault: &authv1.AuthorizationFault{Error: "invalid_scope", Description: "Unknown scope."}}, nil
	}
	q := s.authorize(authorization.Encode()).wantBack(t, "invalid_scope")
	if q.Get("state") != "a b&ü=/" {
		t.Errorf("state %q", q.Get("state"))
	}
	without := clone(authorization)
	without.Del("state")
	if q := s.authorize(without.Encode()).wantBack(t, "invalid_scope"); q.Has("state") {
		t.Errorf("state %q, but the request had none", q.Get("state"))
	}
}

func TestInvalidAuthorizationIsReported(t *testing.T) {
	t.Parallel()
	s, got := newAuthorizeScene(t)
	for name := range authorization {
		for fault, change := range map[string]func(url.Values) string{
			"doubled":   func(v url.Values) string { v.Add(name, "other"); return v.Encode() },
			"malformed": func(v url.Values) string { v.Del(name); return v.Encode() + "&" + name + "=%zz" },
			"not UTF-8": func(v url.Values) string { v.Set(name, "\xff"); return v.Encode() },
			"NUL":       func(v url.Values) string { v.Set(name, "\x00"); return v.Encode() },
			"too long":  func(v url.Values) string { v.Set(name, strings.Repeat("x", 5000)); return v.Encode() },
		} {
			a := s.authorize(change(clone(authorization)))
			if name == "client_id" || name == "redirect_uri" {
				a.wantEnvelope(t, 400, "OAUTH_INVALID_REQUEST")
				continue
			}
			q := a.wantBack(t, "invalid_request")
			if !strings.Contains(q.Get("error_description"), name) {
				t.Errorf("%s %s: %s", name, fault, q.Get("error_description"))
			}
			if q.Has("state") == (name == "state") {
				t.Errorf("%s %s: state %q", name, fault, q.Get("state"))
			}
			if fault == "doubled" && !slices.Equal(got.GetDuplicated(), []string{name}) {
				t.Errorf("%s: auth received %v", name, got.GetDuplicated())
			}
		}
	}
	s.authorize("%zz="+"&"+authorization.Encode()).wantEnvelope(t, 400, "OAUTH_INVALID_REQUEST")
}

func TestParametersCannotInjectHeaders(t *testing.T) {
	t.Parallel()
	s, _ := newAuthorizeScene(t)
	v := clone(authorization)
	v.Set("state", "x\r\nSet-Cookie: evil=1")
	a := s.authorize(v.Encode())
	if a.StatusCode != 302 || a.Header.Get("Set-Cookie") != "" || strings.ContainsAny(a.Header.Get("Location"), "\r\n") {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	s.auth.check = func(*authv1.AuthorizationParameters) (*authv1.CheckAuthorizationResponse, error) {
		return &authv1.CheckAuthorizationResponse{Fault: &authv1.AuthorizationFault{Error: "invalid_scope", Description: "x\r\nSet-Cookie: evil=1"}}, nil
	}
	if q := s.authorize(v.Encode()).wantBack(t, "invalid_scope"); q.Get("state") != "x\r\nSet-Cookie: evil=1" {
		t.Errorf("state %q", q.Get("state"))
	}
}

func TestBrowserIsSentToErrorPage(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	target := "/oauth/authorize?" + authorization.Encode()
	for code, to := range map[string]string{"OAUTH_INVALID_CLIENT": appURL + target, "OAUTH_INVALID_REQUEST": appURL + target, "SERVICE_UNAVAILABLE": ""} {
		s.failing(errs.New(errs.Invalid, code, "No."))
		a := s.do(http.MethodGet, target, "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
		if got := a.Header.Get("Location"); got != to {
			t.Errorf("%s: status %d, redirected to %q, want %q", code, a.StatusCode, got, to)
		}
	}
}
