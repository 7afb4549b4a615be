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

var newAccount = url.Values{"name": {"Noor"}, "email": {pagestest.GoodEmail}, "password": {pagestest.GoodPassword}}

func TestSignUpKeepsReturnPath(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Lang = "ar"
	back := pagestest.ConsentPath
	signIn := v.Get("/sign-in?" + url.Values{"return": {back}}.Encode())
	want := "/sign-up?" + url.Values{"return": {back}}.Encode()
	if !strings.Contains(strings.ReplaceAll(signIn.Body, "&amp;", "&"), `href="`+want+`"`) {
		t.Fatalf("the sign-in page does not link to %s", want)
	}
	form := url.Values{"return": {back}}
	for name, values := range newAccount {
		form[name] = values
	}
	a := v.Filled(want, form)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/sign-up/sent" {
		t.Fatalf("status %d, redirect to %s", a.StatusCode, a.Header.Get("Location"))
	}
	got := v.Backend.Wanted[0]
	if got.GetLanguage() != "ar" || got.GetName() != "Noor" || got.GetClientIp() != "203.0.113.7" {
		t.Errorf("auth received %v", got)
	}

	v.Backend.ProfileFail = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down") // the candidate service creates it later
	done := v.Filled("/sign-up/confirm?token="+pagestest.GoodToken, url.Values{"token": {pagestest.GoodToken}, "password": {pagestest.GoodPassword}})
	if len(v.Backend.Profiled) != 1 || v.Backend.Profiled[0] != "made" {
		t.Errorf("profiles were created for %v", v.Backend.Profiled)
	}
	if done.StatusCode != http.StatusSeeOther || done.Header.Get("Location") != back || v.Cookies["__Host-vitae_session"].Value != "made" {
		t.Errorf("status %d, redirect to %s", done.StatusCode, done.Header.Get("Location"))
	}
	if sent := v.Backend.Completed[0]; sent.GetToken() != pagestest.GoodToken || sent.GetPreviousSessionToken() != "" || sent.GetClientIp() != "203.0.113.7" {
		t.Errorf("auth received %v", sent)
	}
}

func TestEmailedLinkReturnsOnlyToOwnPages(t *testing.T) {
	t.Parallel()
	for _, back := range []string{"https://evil.example/", "//evil.example", "/sign-out", ""} {
		v := pagestest.Visit(t)
		v.Filled("/reset", url.Values{"return": {back}, "email": {pagestest.GoodEmail}})
		done := v.Filled("/sign-up/confirm?token="+pagestest.GoodToken, url.Values{"token": {pagestest.GoodToken}, "password": {pagestest.GoodPassword}})
		if got := done.Header.Get("Location"); got != "/connections" {
			t.Errorf("%q: redirect to %q", back, got)
		}
	}
}

// An email that was requested in one browser must not affect a different browser in which its link is
// opened.
func TestReturnPathStaysInItsBrowser(t *testing.T) {
	t.Parallel()
	back := pagestest.ConsentPath
	choose := func(v *pagestest.Visitor) string {
		return v.Filled("/reset/choose?token="+pagestest.GoodToken, url.Values{"token": {pagestest.GoodToken}, "password": {pagestest.GoodPassword}}).Header.Get("Location")
	}
	asked, other := pagestest.Visit(t), pagestest.Visit(t)
	asked.Filled("/reset", url.Values{"return": {back}, "email": {pagestest.GoodEmail}})
	if got := choose(other); got != "/sign-in" {
		t.Errorf("redirect in a different browser: %s", got)
	}
	if got, want := choose(asked), "/sign-in?"+(url.Values{"return": {back}}).Encode(); got != want {
		t.Errorf("redirect in the requesting browser: %s, want %s", got, want)
	}
	if got := choose(asked); got != "/sign-in" {
		t.Errorf("redirect the second time: %s", got)
	}
	long := back + "&state="
	long += strings.Repeat("x", 2500-len(long))
	asked.Filled("/reset", url.Values{"return": {long}, "email": {pagestest.GoodEmail}})
	if got, want := choose(asked), "/sign-in?"+(url.Values{"return": {long}}).Encode(); got != want {
		t.Errorf("redirect with the longest stored path: %s, want %s", got, want)
	}
	long += "x"
	asked.Filled("/reset", url.Values{"return": {long}, "email": {pagestest.GoodEmail}})
	if got := choose(asked); got != "/sign-in" {
		t.Errorf("redirect after a long request has %d bytes", len(got))
	}
}

func TestOpeningLinkChangesNothing(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	for _, path := range []string{"/sign-up/confirm", "/reset/choose"} {
		a := v.Get(path + "?token=" + pagestest.GoodToken)
		if a.StatusCode != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Referrer-Policy") != "same-origin" ||
			!strings.Contains(a.Header.Get("X-Robots-Tag"), "noindex") {
			t.Errorf("%s: %d %v", path, a.StatusCode, a.Header)
		}
		if dead := v.Get(path + "?token=other"); dead.StatusCode != http.StatusGone || !strings.Contains(dead.Text(), "no longer works") {
			t.Errorf("%s with a dead link: status %d %s", path, dead.StatusCode, dead.Text())
		}
	}
	if len(v.Backend.Completed)+len(v.Backend.Chosen) != 0 || v.Cookies["__Host-vitae_session"] != nil {
		t.Error("opening the link changed something")
	}
}

func TestFormsNameFieldAtFault(t *testing.T) {
	t.Parallel()
	refusal := func(field string) error {
		return errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithField(field)
	}
	slowed := errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "slow").WithRetryAfter(30 * time.Second)
	change := func(field, value string) url.Values {
		form := url.Values{"token": {pagestest.GoodToken}}
		for name, values := range newAccount {
			form[name] = values
		}
		form.Set(field, value)
		return form
	}
	for name, c := range map[string]struct {
		page, field string
		form        url.Values
		auth        error
		status      int
		want        string
	}{
		"no name":           {"/sign-up", "name", change("name", " "), nil, 422, "Enter your name."},
		"a long name":       {"/sign-up", "name", change("name", strings.Repeat("n", 201)), nil, 422, "on one line"},
		"a broken name":     {"/sign-up", "name", newAccount, refusal("name"), 422, "on one line"},
		"no address":        {"/sign-up", "email", change("email", "noor"), nil, 422, "like name@example.com"},
		"a short password":  {"/sign-up", "password", change("password", "ninechars"), nil, 422, "Use at least 10 characters."},
		"a long password":   {"/sign-up", "password", change("password", strings.Repeat("x", 1025)), nil, 422, "Choose a shorter password."},
		"a common password": {"/sign-up", "password", newAccount, refusal("password"), 422, "too common"},
		"too often":         {"/sign-up", "password", newAccount, slowed, 429, "Try again in 30 seconds."},
		"too often, reset":  {"/reset", "email", newAccount, slowed, 429, "Try again in 30 seconds."},
		"reset for nobody":  {"/reset", "email", change("email", ""), nil, 422, "Enter your email address."},
		"a common one":      {"/reset/choose?token=" + pagestest.GoodToken, "password", change("password", pagestest.GoodPassword), refusal("password"), 422, "too common"},
		"a short one":       {"/reset/choose?token=" + pagestest.GoodToken, "password", change("password", "short"), nil, 422, "Use at least 10 characters."},
		"a wrong one": {"/sign-up/confirm?token=" + pagestest.GoodToken, "password", change("password", "other password"),
			errs.New(errs.Unauthenticated, "SIGN_IN_FAILED", "no"), 422, "This isn’t the password"},
	} {
		v := pagestest.Visit(t)
		v.Backend.AccountFail = c.auth
		a := v.Filled(c.page, c.form)
		if a.StatusCode != c.status || strings.Count(a.Text(), c.want) < 1 {
			t.Errorf("%s: status %d: %s", name, a.StatusCode, a.Text())
			continue
		}
		input := a.ByID(c.field)
		if !pagestest.Has(input, "autofocus") || pagestest.Attribute(input, "aria-invalid") != "true" || strings.Count(a.Body, " autofocus") != 1 || strings.Contains(a.Body, `class="faults"`) {
			t.Errorf("%s: %s", name, a.Body)
		}
		if strings.Contains(a.Body, `value="`+pagestest.GoodPassword) {
			t.Errorf("%s: the page contains the password", name)
		}
	}
}

func TestPagesExplainMissingEmailService(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Backend.AccountFail = errs.New(errs.Precondition, "MAIL_OFF", "off")
	for _, page := range []string{"/sign-up", "/reset"} {
		if a := v.Filled(page, newAccount); a.StatusCode != http.StatusNotFound || !strings.Contains(a.Text(), "doesn’t send email") {
			t.Errorf("%s: status %d: %s", page, a.StatusCode, a.Text())
		}
	}
}

func TestFormsAreBoundToBrowser(t *testing.T) {
	t.Parallel()
	attacker, victim := pagestest.Visit(t), pagestest.Visit(t)
	stolen := attacker.Get("/sign-up").Token()
	victim.Get("/sign-up")
	for _, path := range []string{"/sign-up", "/sign-up/confirm", "/reset", "/reset/choose"} {
		form := url.Values{"csrf": {stolen}, "token": {pagestest.GoodToken}, "email": {pagestest.GoodEmail}, "password": {pagestest.GoodPassword}, "name": {"n"}}
		if a := victim.Send(http.MethodPost, path, form); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d", path, a.StatusCode)
		}
	}
	if b := victim.Backend; len(b.Wanted)+len(b.Completed)+len(b.Forgotten)+len(b.Chosen) != 0 {
		t.Error("auth was called")
	}
}

// The email about a new password names the browser in which it was set, even though there was no
// session.
func TestResetNamesBrowser(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	page := v.Get("/reset/choose?token=" + pagestest.GoodToken)
	form := url.Values{"csrf": {page.Token()}, "token": {pagestest.GoodToken}, "password": {"a quiet harbour"}}
	v.Send(http.MethodPost, "/reset/choose", form, func(r *http.Request) {
		r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
	})
	if got := v.Backend.Chosen[0].GetBrowser(); got.GetName() != "Firefox" || got.GetSystem() != "Linux" {
		t.Errorf("auth received the browser %v", got)
	}
}
