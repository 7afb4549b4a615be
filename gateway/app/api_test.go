package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestDiscoveryDocumentIsComplete(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.do(http.MethodGet, "/.well-known/oauth-authorization-server", "")
	const want = `{"issuer":"https://api.example","authorization_endpoint":"https://api.example/oauth/authorize",` +
		`"token_endpoint":"https://api.example/oauth/token","revocation_endpoint":"https://api.example/oauth/revoke",` +
		`"introspection_endpoint":"https://api.example/oauth/introspect","userinfo_endpoint":"https://api.example/v1/me",` +
		`"service_documentation":"https://app.example/docs","scopes_supported":["profile","email","cv:read","cv:contact"],` +
		`"response_types_supported":["code"],"grant_types_supported":["authorization_code","refresh_token"],` +
		`"code_challenge_methods_supported":["S256"],"token_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post","none"],` +
		`"revocation_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post","none"],` +
		`"introspection_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post","none"],` +
		`"authorization_response_iss_parameter_supported":true}`
	if a.StatusCode != 200 || a.body != want || a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if !strings.Contains(a.Header.Get("Cache-Control"), "max-age=") {
		t.Errorf("Cache-Control %q", a.Header.Get("Cache-Control"))
	}
}

func TestUnknownPathsAndMethodsAreRejected(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, target := range []string{"/", "/v1", "/v1/", "/v1/me/", "/v1/nothing", "/v2/me", "/oauth", "/v1/cv-links/", "/v1/photos/", "/v1/photos", "/v1/openapi.yaml", "//v1/me", "/v1/me%2Fcv"} {
		s.get(target).wantEnvelope(t, 404, "NOT_FOUND")
	}
	for target, allow := range map[string]string{
		"/v1/me": "GET, HEAD", "/v1/me/cv": "GET, HEAD", "/v1/me/cv.pdf": "GET, HEAD", "/v1/cv-links/x": "GET, HEAD", "/v1/photos/x": "GET, HEAD",
		"/oauth/authorize": "GET, HEAD", "/.well-known/oauth-authorization-server": "GET, HEAD",
	} {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"} {
			a := s.formWithToken(method, target)
			a.wantEnvelope(t, 405, "METHOD_NOT_ALLOWED")
			if a.Header.Get("Allow") != allow {
				t.Errorf("%s %s: Allow %q", method, target, a.Header.Get("Allow"))
			}
		}
	}
	for _, target := range []string{"/oauth/token", "/oauth/introspect", "/oauth/revoke"} {
		a := s.get(target)
		a.wantEnvelope(t, 405, "METHOD_NOT_ALLOWED")
		if a.Header.Get("Allow") != "POST" {
			t.Errorf("%s: Allow %q", target, a.Header.Get("Allow"))
		}
	}
}

// formWithToken sends a form with the scene's token. By default, grpc-gateway would route a form POST to a
// GET handler.
func (s *scene) formWithToken(method, target string) answer {
	s.t.Helper()
	return s.do(method, target, "a=1", "Content-Type", formType, "Authorization", "Bearer "+s.auth.token, "X-HTTP-Method-Override", "GET")
}

func TestHeadHasNoBody(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, target := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf", "/.well-known/oauth-authorization-server"} {
		get := s.get(target)
		head := s.do(http.MethodHead, target, "", "Authorization", "Bearer "+s.auth.token)
		if head.StatusCode != 200 || head.body != "" || head.ContentLength != get.ContentLength || head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
			t.Errorf("HEAD %s: status %d, Content-Length %d, GET has %d", target, head.StatusCode, head.ContentLength, get.ContentLength)
		}
	}
	if a := s.do(http.MethodHead, "/v1/me", ""); a.StatusCode != 401 || a.body != "" {
		t.Errorf("without a token: %d %q", a.StatusCode, a.body)
	}
}

func TestRequestIDsDiffer(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	var ids []string
	for range 100 {
		ids = append(ids, s.do(http.MethodGet, "/v1/nothing", "").Header.Get("X-Request-Id"))
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 100 {
		t.Error("two requests have the same id")
	}
}
