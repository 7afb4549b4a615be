package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
)

func TestSignInOpensASessionAndEndsTheOneBefore(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.cookies["__Host-vitae_session"] = &http.Cookie{Name: "__Host-vitae_session", Value: "planted"}
	v.signIn()
	got := v.backend.signedIn[0]
	if got.GetPreviousSessionToken() != "planted" || got.GetClientIp() != "203.0.113.7" {
		t.Errorf("auth is told %v", got)
	}
	if token := v.cookies["__Host-vitae_session"].Value; token == "planted" {
		t.Error("the planted session stays")
	}
}

func TestSessionCookieIsAsStrictAsTheSchemeAllows(t *testing.T) {
	t.Parallel()
	for appURL, want := range map[string]http.Cookie{
		"https://app.vitae.example": {Name: "__Host-vitae_session", Secure: true},
		"http://127.0.0.1:8081":     {Name: "vitae_session"},
	} {
		v := visit(t, appURL)
		v.signIn()
		c := v.cookies[want.Name]
		if c == nil || c.Secure != want.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge != int(12*time.Hour/time.Second) {
			t.Errorf("%s: %+v", appURL, c)
		}
	}
}

func TestSignInReturnsToPagesOfOursOnly(t *testing.T) {
	t.Parallel()
	good := "/oauth/authorize?" + consentQuery
	for back, want := range map[string]string{
		good: good, "/connections": "/connections", "": "/connections",
		"https://evil.example/": "/connections", "//evil.example": "/connections", `/\evil.example`: "/connections",
		"/oauth/authorize/../../evil": "/connections", "//evil.example/connections": "/connections", "javascript:alert(1)": "/connections",
		"/connections#@evil": "/connections", "/sign-out": "/connections", "/\t/evil.example": "/connections", "/%2Fevil.example": "/connections",
		"http:/connections": "/connections", "/oauth%2Fauthorize": "/connections", "?x": "/connections", "connections": "/connections",
	} {
		v := visit(t, "https://app.vitae.example")
		form := v.get("/sign-in?" + url.Values{"return": {back}}.Encode())
		got := v.send(http.MethodPost, "/sign-in", url.Values{
			"csrf": {form.token()}, "email": {goodEmail}, "password": {goodPassword}, "return": {back},
		})
		if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != want {
			t.Errorf("return %q: %d to %q", back, got.StatusCode, got.Header.Get("Location"))
		}
		if again := v.get("/sign-in?" + url.Values{"return": {back}}.Encode()).Header.Get("Location"); again != want {
			t.Errorf("signed in, return %q: to %q", back, again)
		}
	}
}

func TestWrongPasswordAndUnknownEmailLookTheSame(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	try := func(email, password string) response {
		token := v.get("/sign-in").token()
		return v.send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {email}, "password": {password}})
	}
	wrong, unknown := try(goodEmail, "wrong"), try("who@example.com", goodPassword)
	long := try(goodEmail, strings.Repeat("x", maxPassword+1))
	if wrong.StatusCode != http.StatusUnprocessableEntity || strings.ReplaceAll(wrong.body, goodEmail, "who@example.com") != unknown.body {
		t.Errorf("%d, %d:\n%s\n%s", wrong.StatusCode, unknown.StatusCode, wrong.text(), unknown.text())
	}
	if !strings.Contains(long.text(), "Incorrect email or password") {
		t.Errorf("too long: %s", long.text())
	}
	if got := attribute(wrong.byID("email"), "value"); got != goodEmail {
		t.Errorf("the email is lost: %q", got)
	}
	if strings.Contains(wrong.body, "wrong\"") || attribute(wrong.byID("password"), "value") != "" {
		t.Error("the password comes back")
	}
}

func TestEmptyAndMalformedFieldsAreNamed(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	for email, want := range map[string]string{
		"": "Enter your email address.", "layla": "Enter an email address like", "a b@c": "Enter an email address like",
		"@x": "Enter an email address like", strings.Repeat("x", 250) + "@x.ae": "Enter an email address like",
	} {
		token := v.get("/sign-in").token()
		a := v.send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {email}, "password": {""}})
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), want) || !strings.Contains(a.text(), "Enter your password.") {
			t.Errorf("%q: %d %s", email, a.StatusCode, a.text())
		}
		if len(v.backend.signedIn) != 0 {
			t.Error("auth was asked")
		}
		if attribute(a.byID("email"), "aria-describedby") != "email-fault" || attribute(a.byID("password"), "aria-invalid") != "true" {
			t.Error("the fields do not say what is wrong")
		}
	}
}

func TestSlowedSignInSaysHowLongToWait(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.backend.signInFail = errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "slow").WithRetryAfter(89 * time.Second)
	token := v.get("/sign-in").token()
	a := v.send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {goodEmail}, "password": {"x"}})
	if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "89" || !strings.Contains(a.text(), "Try again in 2 minutes,") {
		t.Errorf("%d %q %s", a.StatusCode, a.Header.Get("Retry-After"), a.text())
	}
}

func TestABusySignInIsToldInBothLanguages(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.backend.signInFail = errs.New(errs.Exhausted, "SIGN_IN_BUSY", "busy").WithRetryAfter(5 * time.Second)
	for lang, want := range map[string]string{"en": "We didn’t check your password. Try again in 5 seconds.", "ar": "حاول مرة أخرى بعد"} {
		v.lang = lang
		token := v.get("/sign-in").token()
		a := v.send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {goodEmail}, "password": {goodPassword}})
		if a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "5" || !strings.Contains(a.text(), want) {
			t.Errorf("%s: %d %q %s", lang, a.StatusCode, a.Header.Get("Retry-After"), a.text())
		}
		if got := attribute(a.byID("email"), "value"); got != goodEmail {
			t.Errorf("%s: the email is lost: %q", lang, got)
		}
	}
}

func TestSignInFormIsTiedToTheBrowserThatOpenedIt(t *testing.T) {
	t.Parallel()
	victim, attacker := visit(t, "https://app.vitae.example"), visit(t, "https://app.vitae.example")
	stolen := attacker.get("/sign-in").token()
	form := url.Values{"csrf": {stolen}, "email": {goodEmail}, "password": {goodPassword}}
	if got := victim.send(http.MethodPost, "/sign-in", form).StatusCode; got != http.StatusForbidden {
		t.Errorf("without a cookie: %d", got)
	}
	victim.get("/sign-in")
	if got := victim.send(http.MethodPost, "/sign-in", form).StatusCode; got != http.StatusForbidden {
		t.Errorf("with another cookie: %d", got)
	}
	if len(victim.backend.signedIn) != 0 {
		t.Error("auth was asked")
	}
}

func TestSignOutEndsTheSessionAndCanGoOnWithAnotherAccount(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	back := "/oauth/authorize?" + consentQuery
	a := v.post("/sign-out", url.Values{"return": {back}})
	want := "/sign-in?" + (url.Values{"return": {back}}).Encode()
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
		t.Errorf("%d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	if len(v.backend.sessions) != 0 || v.cookies["__Host-vitae_session"] != nil {
		t.Error("the session is still there")
	}
	shown := v.get(a.Header.Get("Location"))
	if !strings.Contains(shown.text(), "You’re signed out.") || !strings.Contains(shown.text(), "You’ll continue to Acme Jobs.") {
		t.Errorf("%s", shown.text())
	}
	if strings.Contains(v.get("/sign-in").text(), "You’re signed out.") {
		t.Error("the notice stays")
	}
}
