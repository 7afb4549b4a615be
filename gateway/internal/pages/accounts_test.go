package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// filled is a form of the account pages as somebody sends it, with the token of the page at a
// path.
func (v *visitor) filled(page string, fields url.Values) response {
	v.t.Helper()
	form := url.Values{"csrf": {v.get(page).token()}}
	for name, values := range fields {
		form[name] = values
	}
	path, _, _ := strings.Cut(page, "?")
	return v.send(http.MethodPost, path, form)
}

var newAccount = url.Values{"name": {"Noor"}, "email": {goodEmail}, "password": {goodPassword}}

func TestASignUpCarriesTheInterruptedRequestAndTheLanguage(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.lang = "ar"
	back := "/oauth/authorize?" + consentQuery
	signIn := v.get("/sign-in?" + url.Values{"return": {back}}.Encode())
	want := "/sign-up?" + url.Values{"return": {back}}.Encode()
	if !strings.Contains(strings.ReplaceAll(signIn.body, "&amp;", "&"), `href="`+want+`"`) {
		t.Fatalf("the sign-in page does not lead to %s", want)
	}
	form := url.Values{"return": {back}}
	for name, values := range newAccount {
		form[name] = values
	}
	a := v.filled(want, form)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/sign-up/sent" {
		t.Fatalf("%d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	got := v.backend.wanted[0]
	if got.GetLanguage() != "ar" || got.GetName() != "Noor" || got.GetClientIp() != "203.0.113.7" {
		t.Errorf("auth is told %v", got)
	}

	done := v.filled("/sign-up/confirm?token="+goodToken, url.Values{"token": {goodToken}, "password": {goodPassword}})
	if done.StatusCode != http.StatusSeeOther || done.Header.Get("Location") != back || v.cookies["__Host-vitae_session"].Value != "made" {
		t.Errorf("%d to %s", done.StatusCode, done.Header.Get("Location"))
	}
	if sent := v.backend.completed[0]; sent.GetToken() != goodToken || sent.GetPreviousSessionToken() != "" || sent.GetClientIp() != "203.0.113.7" {
		t.Errorf("auth is told %v", sent)
	}
}

func TestWhatIsMailedReturnsToPagesOfOursOnly(t *testing.T) {
	t.Parallel()
	for _, back := range []string{"https://evil.example/", "//evil.example", "/sign-out", ""} {
		v := visit(t, "https://app.vitae.example")
		v.filled("/reset", url.Values{"return": {back}, "email": {goodEmail}})
		done := v.filled("/sign-up/confirm?token="+goodToken, url.Values{"token": {goodToken}, "password": {goodPassword}})
		if got := done.Header.Get("Location"); got != "/connections" {
			t.Errorf("%q: to %q", back, got)
		}
	}
}

// Who asks for an email decides nothing for the browser in which its link is followed.
func TestTheReturnPathIsThatOfTheBrowserThatAsked(t *testing.T) {
	t.Parallel()
	back := "/oauth/authorize?" + consentQuery
	choose := func(v *visitor) string {
		return v.filled("/reset/choose?token="+goodToken, url.Values{"token": {goodToken}, "password": {goodPassword}}).Header.Get("Location")
	}
	asked, other := visit(t, "https://app.vitae.example"), visit(t, "https://app.vitae.example")
	asked.filled("/reset", url.Values{"return": {back}, "email": {goodEmail}})
	if got := choose(other); got != "/sign-in" {
		t.Errorf("in another browser to %s", got)
	}
	if got, want := choose(asked), "/sign-in?"+(url.Values{"return": {back}}).Encode(); got != want {
		t.Errorf("in the browser that asked to %s, want %s", got, want)
	}
	if got := choose(asked); got != "/sign-in" {
		t.Errorf("a second time to %s", got)
	}
	long := back + "&state="
	long += strings.Repeat("x", maxKept-len(long))
	asked.filled("/reset", url.Values{"return": {long}, "email": {goodEmail}})
	if got, want := choose(asked), "/sign-in?"+(url.Values{"return": {long}}).Encode(); got != want {
		t.Errorf("with the longest path that is kept to %s, want %s", got, want)
	}
	long += "x"
	asked.filled("/reset", url.Values{"return": {long}, "email": {goodEmail}})
	if got := choose(asked); got != "/sign-in" {
		t.Errorf("with a long request to %d bytes", len(got))
	}
}

func TestOpeningALinkChangesNothingAndTellsNoOtherSite(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	for _, path := range []string{"/sign-up/confirm", "/reset/choose"} {
		a := v.get(path + "?token=" + goodToken)
		if a.StatusCode != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Referrer-Policy") != "same-origin" ||
			!strings.Contains(a.Header.Get("X-Robots-Tag"), "noindex") {
			t.Errorf("%s: %d %v", path, a.StatusCode, a.Header)
		}
		if dead := v.get(path + "?token=other"); dead.StatusCode != http.StatusGone || !strings.Contains(dead.text(), "no longer works") {
			t.Errorf("%s, dead: %d %s", path, dead.StatusCode, dead.text())
		}
	}
	if len(v.backend.completed)+len(v.backend.chosen) != 0 || v.cookies["__Host-vitae_session"] != nil {
		t.Error("something was changed")
	}
}

func TestFormsOfAccountsSayWhatIsWrongOnceAtTheFieldThatHasTheFocus(t *testing.T) {
	t.Parallel()
	refusal := func(field string) error {
		return errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithField(field)
	}
	slowed := errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "slow").WithRetryAfter(30 * time.Second)
	change := func(field, value string) url.Values {
		form := url.Values{"token": {goodToken}}
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
		"a common one":      {"/reset/choose?token=" + goodToken, "password", change("password", goodPassword), refusal("password"), 422, "too common"},
		"a short one":       {"/reset/choose?token=" + goodToken, "password", change("password", "short"), nil, 422, "Use at least 10 characters."},
		"a wrong one": {"/sign-up/confirm?token=" + goodToken, "password", change("password", "other password"),
			errs.New(errs.Unauthenticated, "SIGN_IN_FAILED", "no"), 422, "This isn’t the password"},
	} {
		v := visit(t, "https://app.vitae.example")
		v.backend.accountFail = c.auth
		a := v.filled(c.page, c.form)
		if a.StatusCode != c.status || strings.Count(a.text(), c.want) < 1 {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.text())
			continue
		}
		input := a.byID(c.field)
		if !has(input, "autofocus") || attribute(input, "aria-invalid") != "true" || strings.Count(a.body, " autofocus") != 1 || strings.Contains(a.body, `class="faults"`) {
			t.Errorf("%s: %s", name, a.body)
		}
		if strings.Contains(a.body, `value="`+goodPassword) {
			t.Errorf("%s: the password comes back", name)
		}
	}
}

func TestWhereNoMailIsSentThePagesSayWhy(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.backend.accountFail = errs.New(errs.Precondition, "MAIL_OFF", "off")
	for _, page := range []string{"/sign-up", "/reset"} {
		if a := v.filled(page, newAccount); a.StatusCode != http.StatusNotFound || !strings.Contains(a.text(), "doesn’t send email") {
			t.Errorf("%s: %d %s", page, a.StatusCode, a.text())
		}
	}
}

func TestFormsOfAccountsAreTiedToTheBrowserThatOpenedThem(t *testing.T) {
	t.Parallel()
	attacker, victim := visit(t, "https://app.vitae.example"), visit(t, "https://app.vitae.example")
	stolen := attacker.get("/sign-up").token()
	victim.get("/sign-up")
	for _, path := range []string{"/sign-up", "/sign-up/confirm", "/reset", "/reset/choose"} {
		form := url.Values{"csrf": {stolen}, "token": {goodToken}, "email": {goodEmail}, "password": {goodPassword}, "name": {"n"}}
		if a := victim.send(http.MethodPost, path, form); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	if b := victim.backend; len(b.wanted)+len(b.completed)+len(b.forgotten)+len(b.chosen) != 0 {
		t.Error("auth was asked")
	}
}

func TestAPasswordIsChangedByWhoIsSignedInAlone(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	if a := v.get("/account"); a.Header.Get("Location") != "/sign-in?return=%2Faccount" {
		t.Errorf("signed out: to %s", a.Header.Get("Location"))
	}
	v.signIn()
	form := url.Values{"current_password": {goodPassword}, "new_password": {"a quiet harbour"}}
	v.backend.accountFail = errs.New(errs.Denied, "WRONG_PASSWORD", "no").WithField("current_password")
	if a := v.filledAccount(form); a.StatusCode != http.StatusUnprocessableEntity || !has(a.byID("current_password"), "autofocus") {
		t.Errorf("a wrong password: %d", a.StatusCode)
	}
	// Without the password a proof is enough.
	v.backend.unproven, v.backend.accountFail = true, nil
	alone := url.Values{"new_password": {"a quiet harbour"}}
	if a := v.filledAccount(alone); a.StatusCode != http.StatusUnprocessableEntity || !has(a.byID("current_password"), "autofocus") {
		t.Errorf("neither the password nor a proof: %d", a.StatusCode)
	}
	v.backend.unproven = false
	if shown := v.get("/account"); !strings.Contains(shown.text(), "Optional, because you just confirmed it’s you.") || has(shown.byID("current_password"), "required") {
		t.Error("the form requires the password after a proof")
	}
	if a := v.filledAccount(alone); a.StatusCode != http.StatusSeeOther || v.backend.changed[1].GetCurrentPassword() != "" {
		t.Errorf("a proof without the password: %d", a.StatusCode)
	}
	v.backend.accountFail = errProof // it has ended since the page was shown
	if a := v.filledAccount(alone); a.Header.Get("Location") != "/account/confirm?return=%2Faccount" {
		t.Errorf("a proof that has ended: %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	v.backend.accountFail = nil
	a := v.filledAccount(form)
	got := v.backend.changed[3]
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/account" || got.GetSessionToken() != v.cookies["__Host-vitae_session"].Value ||
		got.GetCurrentPassword() != goodPassword || got.GetNewPassword() != "a quiet harbour" || got.GetDeviceToken() == "" {
		t.Errorf("%d, auth is told %v", a.StatusCode, got)
	}
	if shown := v.get("/account"); !strings.Contains(shown.text(), "Password changed.") {
		t.Errorf("%s", shown.text())
	}
}

// The mail about a new password tells in which browser it was set, also where there is no session.
func TestAResetTellsAuthInWhichBrowserItIsMade(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	page := v.get("/reset/choose?token=" + goodToken)
	form := url.Values{"csrf": {page.token()}, "token": {goodToken}, "password": {"a quiet harbour"}}
	v.send(http.MethodPost, "/reset/choose", form, func(r *http.Request) {
		r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
	})
	if got := v.backend.chosen[0].GetBrowser(); got.GetName() != "Firefox" || got.GetSystem() != "Linux" {
		t.Errorf("auth is told of %v", got)
	}
}

func (v *visitor) filledAccount(form url.Values) response {
	v.t.Helper()
	form.Set("csrf", v.get("/account").token())
	return v.send(http.MethodPost, "/account/password", form)
}

func TestSessionsAreListedAndEndedByTheirPersonAlone(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.backend.listed = []*authv1.Session{
		{Id: "one", Browser: &authv1.Browser{Name: "Firefox", System: "Android"}, CreatedAt: timestamppb.New(now), UsedAt: timestamppb.New(now), Current: true, Country: "SA"},
		{Id: "two", CreatedAt: timestamppb.New(now.AddDate(0, 0, -1)), UsedAt: timestamppb.New(now.Add(-time.Minute))},
	}
	a := v.get("/account")
	for _, want := range []string{
		"Firefox on Android (this browser)", "Unknown browser",
		"Last used on 9 March 2026 at 10:00 UTC. Country: Saudi Arabia. Sign out", "Signed in on 8 March 2026. Last used on 9 March 2026 at 09:59 UTC. Sign out",
	} {
		if !strings.Contains(a.text(), want) {
			t.Errorf("not shown: %s in %s", want, a.text())
		}
	}
	if a := v.post("/account/sessions/two/end", url.Values{}); a.Header.Get("Location") != "/account" || !slices.Equal(v.backend.ended, []string{"two"}) {
		t.Errorf("to %s, ended %v", a.Header.Get("Location"), v.backend.ended)
	}
	for _, path := range []string{"/account/sessions/two/end", "/account/sessions/end"} {
		if a := v.send(http.MethodPost, path, url.Values{"csrf": {"AAAA"}}); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s with a forged token: %d", path, a.StatusCode)
		}
	}
	if a := v.post("/account/sessions/end", url.Values{}); a.Header.Get("Location") != "/sign-in?return=%2Faccount" || v.backend.endedAll != 1 || v.cookies["__Host-vitae_session"] != nil {
		t.Errorf("to %s, ended all %d times", a.Header.Get("Location"), v.backend.endedAll)
	}
	if len(v.backend.ended) != 1 {
		t.Errorf("ended %v", v.backend.ended)
	}
}

// behaviour: pages#data-removed-at-sign-out
func TestWhatEndsTheSessionOfThisBrowserEmptiesItsStorage(t *testing.T) {
	t.Parallel()
	for path, stays := range map[string]bool{"/sign-out": false, "/account/sessions/end": false, "/account/sessions/own/end": false, "/account/sessions/two/end": true} {
		v := visit(t, "https://app.vitae.example")
		v.lang = "ar"
		v.signIn()
		v.backend.here = "own"
		a := v.post(path, url.Values{})
		want := `"storage"`
		if stays {
			want = ""
		}
		if got := a.Header.Get("Clear-Site-Data"); got != want || (v.cookies["__Host-vitae_session"] != nil) != stays || v.cookies["__Host-vitae_device"] == nil {
			t.Errorf("%s: Clear-Site-Data is %q, cookies %v", path, got, v.cookies)
		}
	}
}
