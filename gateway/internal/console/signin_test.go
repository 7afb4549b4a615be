package console_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// begin follows the redirects from a page to the authorization request, and returns the parameters
// of that request.
func begin(t *testing.T, b *browser, path string) url.Values {
	t.Helper()
	if !strings.HasPrefix(path, "/sign-in") {
		path = b.get(path).Header.Get("Location")
	}
	to := b.get(path).Header.Get("Location")
	u, err := url.Parse(to)
	if err != nil || u.Scheme+"://"+u.Host+u.Path != baseURL+"/oauth/authorize" {
		t.Fatalf("the sign-in leads to %q", to)
	}
	return u.Query()
}

// callback returns the URL of a valid authorization response, with the given parameters replaced.
func callback(q url.Values, change ...string) string {
	answer := url.Values{"code": {"good"}, "state": {q.Get("state")}, "iss": {baseURL}}
	for i := 0; i+1 < len(change); i += 2 {
		answer.Set(change[i], change[i+1])
	}
	return "/callback?" + answer.Encode()
}

func TestSignInReturnsToThePage(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := visit(t, back)
	q := begin(t, b, "/apps/app_1/keys?x=1")
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "svc_ci_console", "redirect_uri": consoleURL + "/callback", "scope": "profile email", "code_challenge_method": "S256",
	} {
		if q.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if q.Has("invited") || !begin(t, b, "/invitations/sec_1").Has("invited") {
		t.Error("the parameter invited is set for a page other than an invitation, or not for an invitation")
	}
	q = begin(t, b, "/apps/app_1/keys?x=1")
	leads(t, b.get(callback(q)), "/apps/app_1/keys?x=1")
	challenge := sha256.Sum256([]byte(sent[*authv1.ExchangeCodeRequest](back)[0].GetCodeVerifier()))
	if base64.RawURLEncoding.EncodeToString(challenge[:]) != q.Get("code_challenge") {
		t.Error("the verifier does not match the challenge")
	}
	if revoked := sent[*authv1.RevokeTokenRequest](back); len(revoked) != 1 || revoked[0].GetToken() != "a refresh token" {
		t.Errorf("revoked tokens: %v", revoked)
	}
	c := b.cookies[sessionCookie]
	if c == nil || c.Value != "opened" || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("the session cookie is %+v", c)
	}
	if res := b.get("/"); res.StatusCode != http.StatusOK || res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("status %d, Cache-Control %q", res.StatusCode, res.Header.Get("Cache-Control"))
	}
}

func TestSignInDropsLongReturnPath(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/requests?route=" + strings.Repeat("x", 496): "/requests?route=" + strings.Repeat("x", 496),
		"/requests?route=" + strings.Repeat("x", 900): "/",
	} {
		b := visit(t, newBackend())
		leads(t, b.get(callback(begin(t, b, address))), want)
	}
}

func TestCallbackIsBoundToItsSignIn(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(url.Values) string{
		"a wrong state":   func(q url.Values) string { return callback(q, "state", "x") },
		"no state":        func(q url.Values) string { return callback(q, "state", "") },
		"a wrong issuer":  func(q url.Values) string { return callback(q, "iss", "https://evil.example") },
		"an invalid code": func(q url.Values) string { return callback(q, "code", "bad") },
		"declined":        func(q url.Values) string { return callback(q, "code", "", "error", "access_denied") },
	} {
		back := newBackend()
		b := visit(t, back)
		res := b.get(answer(begin(t, b, "/")))
		if res.StatusCode < 400 || res.StatusCode >= 500 || len(back.live) != 0 || b.cookies[sessionCookie] != nil {
			t.Errorf("%s: status %d, %d sessions, want an error and none", name, res.StatusCode, len(back.live))
		}
	}
	back := newBackend()
	q := begin(t, visit(t, back), "/")
	if res := visit(t, back).get(callback(q)); res.StatusCode != http.StatusBadRequest || len(back.live) != 0 {
		t.Errorf("a callback in a different browser: status %d", res.StatusCode)
	}
	b := visit(t, back)
	q = begin(t, b, "/")
	b.get(callback(q))
	if res := b.get(callback(q)); res.StatusCode != http.StatusBadRequest {
		t.Errorf("a repeated callback: status %d", res.StatusCode)
	}
}

func TestSignInLeadsOnlyToPages(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"https://evil.example", "//evil.example", `/\evil.example`, "/sign-in", "/sign-out", "javascript:alert(1)"} {
		b := visit(t, newBackend())
		leads(t, b.get(callback(begin(t, b, "/sign-in?"+url.Values{"return": {to}}.Encode()))), "/")
	}
}

func TestExpiredSessionLeadsToSignIn(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	if res := b.get("/apps"); res.StatusCode != http.StatusOK {
		t.Fatalf("status %d", res.StatusCode)
	}
	clear(back.live)
	for _, path := range []string{"/", "/apps", "/apps/app_1", "/team", "/audit", "/audit.csv", "/requests/newest", "/settings"} {
		b.cookies[sessionCookie] = &http.Cookie{Name: sessionCookie, Value: "secret"}
		if res := b.get(path); res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(res.Header.Get("Location"), "/sign-in") {
			t.Errorf("%s: status %d", path, res.StatusCode)
		}
	}
}

func TestSignOutEndsTheSession(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	res := b.post("/", "/sign-out", url.Values{})
	leads(t, res, "/signed-out")
	if len(back.live) != 0 || b.cookies[sessionCookie] != nil {
		t.Errorf("%d sessions, cookie %v", len(back.live), b.cookies[sessionCookie])
	}
	// behaviour: console#sessions
	if got := res.Header.Get("Clear-Site-Data"); got != `"storage"` {
		t.Errorf("Clear-Site-Data is %q", got)
	}
	if res := b.get("/signed-out"); res.StatusCode != http.StatusOK {
		t.Errorf("status %d", res.StatusCode)
	}
}
