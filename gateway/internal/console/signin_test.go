package console

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// begin follows a page to the authorization request, and gives its parameters.
func begin(t *testing.T, b *browser, path string) url.Values {
	t.Helper()
	first := b.get(path)
	if first.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s: %d", path, first.StatusCode)
	}
	second := b.get(first.Header.Get("Location"))
	u, err := url.Parse(second.Header.Get("Location"))
	if err != nil || u.Scheme+"://"+u.Host+u.Path != baseURL+"/oauth/authorize" {
		t.Fatalf("the sign-in leads to %q", second.Header.Get("Location"))
	}
	return u.Query()
}

// callback is a good answer to an authorization request, with changed parameters.
func callback(q url.Values, change ...string) string {
	answer := url.Values{"code": {"good"}, "state": {q.Get("state")}, "iss": {baseURL}}
	for i := 0; i+1 < len(change); i += 2 {
		answer.Set(change[i], change[i+1])
	}
	return "/callback?" + answer.Encode()
}

func TestAPersonSignsInAsAtAnyPartnerAndComesBack(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := open(t, back)
	q := begin(t, b, "/apps/app_1/keys?x=1")
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "svc_ci_console", "redirect_uri": consoleURL + "/callback", "scope": "profile email", "code_challenge_method": "S256",
	} {
		if q.Get(name) != want {
			t.Errorf("%s is %q", name, q.Get(name))
		}
	}
	res := b.get(callback(q))
	if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/apps/app_1/keys?x=1" {
		t.Fatalf("%d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	challenge := sha256.Sum256([]byte(back.verifier))
	if base64.RawURLEncoding.EncodeToString(challenge[:]) != q.Get("code_challenge") {
		t.Error("the verifier is not that of the challenge")
	}
	if !slices.Equal(back.revoked, []string{"a refresh token"}) {
		t.Errorf("what the sign-in was given lives on: %v were revoked", back.revoked)
	}
	c := b.cookies[sessionName]
	if c == nil || c.Value != "opened" || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("the session's cookie is %+v", c)
	}
	if res := b.get("/"); res.StatusCode != http.StatusOK || res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d, %q", res.StatusCode, res.Header.Get("Cache-Control"))
	}
	if back.asked["ListApps dev_1"] != "opened" {
		t.Error("a call for the person does not carry the session")
	}
}

func TestALongAddressDoesNotKeepAPersonFromSigningIn(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/requests?route=" + strings.Repeat("x", 496): "/requests?route=" + strings.Repeat("x", 496),
		"/requests?route=" + strings.Repeat("x", 900): "/",
	} {
		b := open(t, newBackend())
		res := b.get(callback(begin(t, b, address)))
		if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != want {
			t.Errorf("%d bytes: %d to %.40q", len(address), res.StatusCode, res.Header.Get("Location"))
		}
	}
}

func TestAnAnswerThatWasNotAskedForOpensNoSession(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(url.Values) string{
		"another state":  func(q url.Values) string { return callback(q, "state", "x") },
		"no state":       func(q url.Values) string { return callback(q, "state", "") },
		"another issuer": func(q url.Values) string { return callback(q, "iss", "https://evil.example") },
		"a bad code":     func(q url.Values) string { return callback(q, "code", "bad") },
		"declined":       func(q url.Values) string { return callback(q, "code", "", "error", "access_denied") },
	} {
		back := newBackend()
		b := open(t, back)
		res := b.get(answer(begin(t, b, "/")))
		if res.StatusCode < 400 || res.StatusCode >= 500 || len(back.live) != 0 || b.cookies[sessionName] != nil {
			t.Errorf("%s: %d, %d sessions", name, res.StatusCode, len(back.live))
		}
	}
	back := newBackend()
	q := begin(t, open(t, back), "/")
	if res := open(t, back).get(callback(q)); res.StatusCode != http.StatusBadRequest || len(back.live) != 0 {
		t.Errorf("another browser: %d", res.StatusCode)
	}
	b := open(t, back)
	q = begin(t, b, "/")
	b.get(callback(q))
	if res := b.get(callback(q)); res.StatusCode != http.StatusBadRequest {
		t.Errorf("the same answer again: %d", res.StatusCode)
	}
}

func TestASignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"https://evil.example", "//evil.example", `/\evil.example`, "/sign-in", "/sign-out", "javascript:alert(1)"} {
		b := open(t, newBackend())
		second := b.get("/sign-in?" + url.Values{"return": {to}}.Encode())
		u, err := url.Parse(second.Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		if res := b.get(callback(u.Query())); res.Header.Get("Location") != "/" {
			t.Errorf("%q leads to %q", to, res.Header.Get("Location"))
		}
	}
}

func TestASessionThatHasEndedIsRefusedAtTheNextRequest(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(optionsv1.Role_ROLE_OWNER, "dev_1"))
	if res := b.get("/apps"); res.StatusCode != http.StatusOK {
		t.Fatalf("%d", res.StatusCode)
	}
	delete(back.live, "secret")
	for _, path := range []string{"/", "/apps", "/apps/app_1", "/team", "/audit", "/audit.csv", "/settings"} {
		b.cookies[sessionName] = &http.Cookie{Name: sessionName, Value: "secret"}
		if res := b.get(path); res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(res.Header.Get("Location"), "/sign-in") {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
}

func TestSigningOutEndsTheSessionAtAuth(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(optionsv1.Role_ROLE_OWNER, "dev_1"))
	res := b.post("/", "/sign-out", url.Values{})
	if res.Header.Get("Location") != "/signed-out" || len(back.live) != 0 || b.cookies[sessionName] != nil {
		t.Errorf("%d to %q, %d sessions", res.StatusCode, res.Header.Get("Location"), len(back.live))
	}
	// behaviour: console#sessions
	if got := res.Header.Get("Clear-Site-Data"); got != `"storage"` {
		t.Errorf("the answer to the sign-out has Clear-Site-Data %q", got)
	}
	if res := b.get("/signed-out"); res.StatusCode != http.StatusOK {
		t.Errorf("%d", res.StatusCode)
	}
}
