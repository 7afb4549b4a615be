package app_test

import (
	"net/http"
	"strings"
	"testing"
)

// anyOriginPaths maps the paths that web pages of any origin may call to their methods.
var anyOriginPaths = map[string]string{
	"/.well-known/oauth-authorization-server": "GET, HEAD",
	"/v1/openapi.json":                        "GET, HEAD",
	"/oauth/token":                            "POST",
	"/oauth/revoke":                           "POST",
	"/v1/me":                                  "GET, HEAD",
	"/v1/me/cv":                               "GET, HEAD",
	"/v1/me/cv.pdf":                           "GET, HEAD",
	"/v1/photos/made-up":                      "GET, HEAD",
}

func (s *scene) preflight(path, method string) answer {
	s.t.Helper()
	return s.do(http.MethodOptions, path, "", "Origin", "https://app.example", "Access-Control-Request-Method", method,
		"Access-Control-Request-Headers", "authorization,if-none-match")
}

func TestPublicClientRoutesAllowAnyOrigin(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for path, methods := range anyOriginPaths {
		method, _, _ := strings.Cut(methods, ",")
		a := s.preflight(path, method)
		if a.StatusCode != http.StatusNoContent || a.body != "" || a.Header.Get("Access-Control-Allow-Origin") != "*" ||
			a.Header.Get("Access-Control-Allow-Methods") != methods || a.Header.Get("Access-Control-Allow-Headers") != "Authorization, Content-Type, If-None-Match" ||
			a.Header.Get("Access-Control-Max-Age") != "86400" {
			t.Errorf("%s: preflight %d %v", path, a.StatusCode, a.Header)
		}
		for what, a := range map[string]answer{
			"without a credential":    s.do(method, path, "", "Origin", "https://app.example"),
			"with a token":            s.do(method, path, "", "Origin", "https://app.example", "Authorization", "Bearer "+s.auth.token),
			"with a different method": s.do(http.MethodDelete, path, "", "Origin", "https://app.example"),
		} {
			exposed := a.Header.Get("Access-Control-Expose-Headers")
			if a.Header.Get("Access-Control-Allow-Origin") != "*" || a.Header.Get("Access-Control-Allow-Credentials") != "" ||
				!strings.HasPrefix(exposed, "x-request-id, ") || !strings.HasSuffix(exposed, ", Retry-After, ETag") {
				t.Errorf("%s %s: %d %v", path, what, a.StatusCode, a.Header)
			}
		}
		if a := s.do(http.MethodOptions, path, ""); a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != methods {
			t.Errorf("%s: OPTIONS without preflight headers: %d %v", path, a.StatusCode, a.Header)
		}
	}
}

func TestOtherRoutesRejectOtherOrigins(t *testing.T) {
	t.Parallel()
	s := newDocumentScene(t)
	seen := 0
	for _, o := range readDocument(t).operations {
		r := s.request(o, "")
		if _, open := anyOriginPaths[r.path]; open || o.id == "openPhoto" {
			continue
		}
		seen++
		for _, a := range []answer{
			s.preflight(r.path, o.method), s.do(o.method, r.path, "", "Origin", "https://app.example", "Authorization", "Bearer "+s.auth.key),
		} {
			for name := range a.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s %s: response header %s", o.method, r.path, name)
				}
			}
		}
	}
	if seen < 15 {
		t.Errorf("the document has only %d routes", seen)
	}
}
