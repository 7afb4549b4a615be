package entry_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
)

func TestSignInEndsPreviousSession(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Cookies["__Host-vitae_session"] = &http.Cookie{Name: "__Host-vitae_session", Value: "planted"}
	v.SignIn()
	got := v.Backend.SignedIn[0]
	if got.GetPreviousSessionToken() != "planted" || got.GetClientIp() != "203.0.113.7" {
		t.Errorf("auth received %v", got)
	}
	if token := v.Cookies["__Host-vitae_session"].Value; token == "planted" {
		t.Error("the planted session remains")
	}
}

func TestSessionCookieIsStrict(t *testing.T) {
	t.Parallel()
	for appURL, want := range map[string]http.Cookie{
		"https://app.vitae.example": {Name: "__Host-vitae_session", Secure: true},
		"http://127.0.0.1:8081":     {Name: "vitae_session"},
	} {
		v := pagestest.VisitAt(t, appURL)
		v.SignIn()
		c := v.Cookies[want.Name]
		if c == nil || c.Secure != want.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge != int(12*time.Hour/time.Second) {
			t.Errorf("%s: %+v", appURL, c)
		}
	}
}

func TestInvitedPersonIsTold(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	const text = "You were invited to join a developer account."
	for name, c := range map[string]struct {
		own  bool
		path string
		want bool
	}{
		"an invitation":            {true, pagestest.ConsentPath + "&invited=1", true},
		"the console":              {true, pagestest.ConsentPath, false},
		"an app that claims to be": {false, pagestest.ConsentPath + "&invited=1", false},
	} {
		v.Backend.OfVitae = c.own
		for _, page := range []string{"/sign-in", "/sign-up"} {
			a := v.Get(page + "?" + url.Values{"return": {c.path}}.Encode())
			if got := strings.Contains(a.Text(), text); got != c.want {
				t.Errorf("%s, %s: mentions the invitation: %t: %s", name, page, got, a.Text())
			}
		}
	}
}

func TestSignInReturnsOnlyToOwnPages(t *testing.T) {
	t.Parallel()
	good := pagestest.ConsentPath
	for back, want := range map[string]string{
		good: good, "/connections": "/connections", "": "/connections",
		"https://evil.example/": "/connections", "//evil.example": "/connections", `/\evil.example`: "/connections",
		"/oauth/authorize/../../evil": "/connections", "//evil.example/connections": "/connections", "javascript:alert(1)": "/connections",
		"/connections#@evil": "/connections", "/sign-out": "/connections", "/\t/evil.example": "/connections", "/%2Fevil.example": "/connections",
		"http:/connections": "/connections", "/oauth%2Fauthorize": "/connections", "?x": "/connections", "connections": "/connections",
	} {
		v := pagestest.Visit(t)
		form := v.Get("/sign-in?" + url.Values{"return": {back}}.Encode())
		got := v.Send(http.MethodPost, "/sign-in", url.Values{
			"csrf": {form.Token()}, "email": {pagestest.GoodEmail}, "password": {pagestest.GoodPassword}, "return": {back},
		})
		if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != want {
			t.Errorf("return %q: status %d, redirect to %q", back, got.StatusCode, got.Header.Get("Location"))
		}
		if again := v.Get("/sign-in?" + url.Values{"return": {back}}.Encode()).Header.Get("Location"); again != want {
			t.Errorf("signed in, return %q: redirect to %q", back, again)
		}
	}
}

func TestWrongPasswordLooksLikeUnknownEmail(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	try := func(email, password string) pagestest.Response {
		token := v.Get("/sign-in").Token()
		return v.Send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {email}, "password": {password}})
	}
	wrong, unknown := try(pagestest.GoodEmail, "wrong"), try("who@example.com", pagestest.GoodPassword)
	long := try(pagestest.GoodEmail, strings.Repeat("x", 1025))
	if wrong.StatusCode != http.StatusUnprocessableEntity || strings.ReplaceAll(wrong.Body, pagestest.GoodEmail, "who@example.com") != unknown.Body {
		t.Errorf("status %d, %d:\n%s\n%s", wrong.StatusCode, unknown.StatusCode, wrong.Text(), unknown.Text())
	}
	if !strings.Contains(long.Text(), "Incorrect email or password") {
		t.Errorf("password that is too long: %s", long.Text())
	}
	if got := pagestest.Attribute(wrong.ByID("email"), "value"); got != pagestest.GoodEmail {
		t.Errorf("the email address is lost: %q", got)
	}
	if strings.Contains(wrong.Body, "wrong\"") || pagestest.Attribute(wrong.ByID("password"), "value") != "" {
		t.Error("the page contains the password")
	}
}

func TestEmptyAndMalformedFieldsAreNamed(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	for email, want := range map[string]string{
		"": "Enter your email address.", "layla": "Enter an email address like", "a b@c": "Enter an email address like",
		"@x": "Enter an email address like", strings.Repeat("x", 250) + "@x.ae": "Enter an email address like",
	} {
		token := v.Get("/sign-in").Token()
		a := v.Send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {email}, "password": {""}})
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), want) || !strings.Contains(a.Text(), "Enter your password.") {
			t.Errorf("%q: status %d: %s", email, a.StatusCode, a.Text())
		}
		if len(v.Backend.SignedIn) != 0 {
			t.Error("auth was called")
		}
		if pagestest.Attribute(a.ByID("email"), "aria-describedby") != "email-fault" || pagestest.Attribute(a.ByID("password"), "aria-invalid") != "true" {
			t.Error("the fields do not show the errors")
		}
	}
}

func TestSlowedSignInSaysHowLongToWait(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Backend.SignInFail = errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "slow").WithRetryAfter(89 * time.Second)
	token := v.Get("/sign-in").Token()
	a := v.Send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {pagestest.GoodEmail}, "password": {"x"}})
	if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "89" || !strings.Contains(a.Text(), "Try again in 2 minutes,") {
		t.Errorf("%d %q %s", a.StatusCode, a.Header.Get("Retry-After"), a.Text())
	}
}

func TestBusySignInSaysHowLongToWait(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Backend.SignInFail = errs.New(errs.Exhausted, "SIGN_IN_BUSY", "busy").WithRetryAfter(5 * time.Second)
	for lang, want := range map[string]string{"en": "We didn’t check your password. Try again in 5 seconds.", "ar": "حاول مرة أخرى بعد"} {
		v.Lang = lang
		token := v.Get("/sign-in").Token()
		a := v.Send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {pagestest.GoodEmail}, "password": {pagestest.GoodPassword}})
		if a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "5" || !strings.Contains(a.Text(), want) {
			t.Errorf("%s: %d %q %s", lang, a.StatusCode, a.Header.Get("Retry-After"), a.Text())
		}
		if got := pagestest.Attribute(a.ByID("email"), "value"); got != pagestest.GoodEmail {
			t.Errorf("%s: the email address is lost: %q", lang, got)
		}
	}
}

func TestSignInFormIsBoundToBrowser(t *testing.T) {
	t.Parallel()
	victim, attacker := pagestest.Visit(t), pagestest.Visit(t)
	stolen := attacker.Get("/sign-in").Token()
	form := url.Values{"csrf": {stolen}, "email": {pagestest.GoodEmail}, "password": {pagestest.GoodPassword}}
	if got := victim.Send(http.MethodPost, "/sign-in", form).StatusCode; got != http.StatusForbidden {
		t.Errorf("without a cookie: status %d", got)
	}
	victim.Get("/sign-in")
	if got := victim.Send(http.MethodPost, "/sign-in", form).StatusCode; got != http.StatusForbidden {
		t.Errorf("with a different cookie: status %d", got)
	}
	if len(victim.Backend.SignedIn) != 0 {
		t.Error("auth was called")
	}
}

func TestSignOutEndsSession(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	back := pagestest.ConsentPath
	a := v.Post("/sign-out", url.Values{"return": {back}})
	want := "/sign-in?" + (url.Values{"return": {back}}).Encode()
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
		t.Errorf("status %d, redirect to %s", a.StatusCode, a.Header.Get("Location"))
	}
	if len(v.Backend.Sessions) != 0 || v.Cookies["__Host-vitae_session"] != nil {
		t.Error("the session still exists")
	}
	shown := v.Get(a.Header.Get("Location"))
	if !strings.Contains(shown.Text(), "You’re signed out.") || !strings.Contains(shown.Text(), "You’ll continue to Acme Jobs.") {
		t.Errorf("page is %s", shown.Text())
	}
	if strings.Contains(v.Get("/sign-in").Text(), "You’re signed out.") {
		t.Error("the notice is shown again")
	}
}
