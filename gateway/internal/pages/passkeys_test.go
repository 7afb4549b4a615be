package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// at is a request that names a host, as a browser there does.
func at(host string) func(*http.Request) { return func(r *http.Request) { r.Host = host } }

// Browsers make passkeys for names. A local stack is at an IP address, and at localhost too.
func TestPasskeysAreOfferedWhereThePagesHaveAName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		appURL, host string
		on           bool
		elsewhere    string
	}{
		{"https://app.vitae.example", "app.vitae.example", true, ""},
		{"https://app.vitae.example", "gateway:8081", true, ""}, // behind a proxy
		{"http://127.0.0.1:8081", "127.0.0.1:8081", false, "http://localhost:8081"},
		{"http://127.0.0.1:8081", "localhost:8081", true, ""},
		{"http://192.0.2.7:8081", "192.0.2.7:8081", false, ""},
	} {
		v := pagestest.VisitAt(t, c.appURL)
		confirm := "/sign-up/confirm?token=" + pagestest.GoodToken
		for page, action := range map[string]string{"/sign-in?return=%2Faccount": "/sign-in/passkey", confirm: "/sign-up/confirm/start"} {
			a := v.Get(page, at(c.host))
			if got := strings.Contains(a.Body, action); got != c.on {
				t.Errorf("%s at %s, %s: offered %t", c.appURL, c.host, page, got)
			}
			if got := strings.Contains(a.Text(), "Passkeys aren’t available"); got == c.on {
				t.Errorf("%s at %s, %s: says why not %t", c.appURL, c.host, page, got)
			}
			if c.elsewhere != "" && !strings.Contains(a.Body, `href="`+c.elsewhere+page+`"`) {
				t.Errorf("%s at %s: no way to %s%s", c.appURL, c.host, c.elsewhere, page)
			}
			// Behind the page may stand an app's request, which fills a phone.
			if shown := a.Text(); c.elsewhere != "" && (!strings.Contains(shown, c.elsewhere) || strings.Contains(shown, c.elsewhere+"/")) {
				t.Errorf("%s at %s: the text of the link is not the site alone: %s", c.appURL, c.host, shown)
			}
			if policy := a.Header.Get(web.PolicyHeader); !strings.Contains(policy, "script-src 'self'; connect-src 'self'") || strings.Contains(policy, "unsafe") {
				t.Errorf("%s: %s", page, policy)
			}
		}
		v.SignIn()
		if got := v.Get("/account", at(c.host)).ByHref("/account/passkeys/new"); (got != nil) != c.on {
			t.Errorf("%s at %s, account: offered %t", c.appURL, c.host, got != nil)
		}
	}
}

func TestAPasskeySignsInAndReturnsToPagesOfOursOnly(t *testing.T) {
	t.Parallel()
	for back, want := range map[string]string{"/account": "/account", "https://evil.example/": "/connections"} {
		v := pagestest.Visit(t)
		v.Lang = "ar"
		token := v.Get("/sign-in").Token()
		form := url.Values{"csrf": {token}, "return": {back}, "credential": {pagestest.GoodAnswer}}
		begun := v.Send(http.MethodPost, "/sign-in/passkey/start", form)
		if begun.Header.Get("Content-Type") != "application/json" || begun.Body != `{"challenge":"AA"}` || begun.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %v %s", begun.StatusCode, begun.Header, begun.Body)
		}
		in := v.Send(http.MethodPost, "/sign-in/passkey", form)
		if in.StatusCode != http.StatusSeeOther || in.Header.Get("Location") != want || v.Cookies["__Host-vitae_session"] == nil {
			t.Errorf("%d to %s", in.StatusCode, in.Header.Get("Location"))
		}
		sent := v.Backend.Entered[0]
		if first := v.Backend.Begun[0]; first.GetBoundTo() != sent.GetBoundTo() || sent.GetBoundTo() != token ||
			string(sent.GetCredential()) != pagestest.GoodAnswer || sent.GetClientIp() != "203.0.113.7" || sent.GetLanguage() != "ar" {
			t.Errorf("auth is told %v, then %v", first, sent)
		}
	}
}

func TestWhatIsWrongWithAPasskeyIsSaidOnThePageThatAskedForIt(t *testing.T) {
	t.Parallel()
	refusals := map[error]string{
		errs.New(errs.Denied, "PASSKEY_REFUSED", "no"):     "couldn’t check the passkey",
		errs.New(errs.NotFound, "PASSKEY_UNKNOWN", "no"):   "doesn’t belong to an account",
		errs.New(errs.Precondition, "CEREMONY_OVER", "no"): "took too long",
		errs.New(errs.Exists, "PASSKEY_EXISTS", "no"):      "already belongs to an account",
		errs.New(errs.Precondition, "PASSKEY_LIMIT", "no"): "20 passkeys",
		errs.New(errs.Precondition, "PASSKEYS_OFF", "no"):  "aren’t available at this address",
	}
	for fail, want := range refusals {
		for _, page := range []string{"/sign-in", "/sign-up/confirm?token=" + pagestest.GoodToken, "/account/passkeys/new", "/account/confirm"} {
			v := pagestest.Visit(t)
			v.SignIn()
			v.Backend.Passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(pagestest.Now)}}
			v.Backend.PasskeyFail, v.Backend.AccountFail = fail, fail
			v.Backend.Unproven = page == "/account/confirm"
			action, form := strings.TrimSuffix(page, "?token="+pagestest.GoodToken), url.Values{"token": {pagestest.GoodToken}, "name": {"My phone"}, "credential": {pagestest.GoodAnswer}}
			if page == "/sign-in" {
				clear(v.Backend.Sessions)
				action = "/sign-in/passkey"
			}
			form.Set("csrf", v.Get(page).Token())
			a := v.Send(http.MethodPost, action, form)
			if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), want) {
				t.Errorf("%v at %s: %d %s", fail, page, a.StatusCode, a.Text())
			}
		}
	}
}

func TestWithoutAScriptNoPasskeyIsSent(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	a := v.Send(http.MethodPost, "/sign-in/passkey", url.Values{"csrf": {v.Get("/sign-in").Token()}})
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "Passkeys need JavaScript") || len(v.Backend.Entered) != 0 {
		t.Errorf("%d %s", a.StatusCode, a.Text())
	}
	v.SignIn()
	a = v.Filled("/account/passkeys/new", url.Values{"name": {strings.Repeat("n", 101)}})
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "up to 100 characters") || len(v.Backend.Added) != 0 {
		t.Errorf("%d %s", a.StatusCode, a.Text())
	}
}

// Every change of the ways in leads to the page that asks for a proof, and back.
func TestChangesOfTheWaysInLeadThroughAProofAndBack(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(pagestest.Now)}}
	v.Backend.Unproven = true
	for path, back := range map[string]string{
		"/account/passkeys/new": "/account/passkeys/new", "/account/passkeys/pky_1/remove": "/account/passkeys/pky_1/remove",
		"/account/password/remove": "/account/password/remove", "/account/passkeys/start": "/account/passkeys/new",
	} {
		want := "/account/confirm?" + url.Values{"return": {back}}.Encode()
		if path != "/account/passkeys/start" {
			if a := v.Get(path); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
				t.Errorf("GET %s: %d to %s", path, a.StatusCode, a.Header.Get("Location"))
			}
		}
		if a := v.Post(path, url.Values{}); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
			t.Errorf("POST %s: %d to %s", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
	// Forms that leave nothing behind lead back to the page that has them, which says so.
	for path, back := range map[string]string{"/account/data/delete": "/account/data/delete", "/account/data/exports/exp_1/download": "/account/data"} {
		if a := v.Post(path, url.Values{}); a.Header.Get("Location") != "/account/confirm?"+(url.Values{"return": {back}}).Encode() {
			t.Errorf("POST %s: %d to %s", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
	if len(v.Backend.Removed)+len(v.Backend.Added)+len(v.Backend.Begun)+v.Backend.PasswordRemoved != 0 {
		t.Error("something was changed")
	}
	form := url.Values{"return": {"/account/password/remove"}, "password": {"wrong"}}
	if a := v.Filled("/account/confirm", form); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "The current password is incorrect") {
		t.Errorf("%d %s", a.StatusCode, a.Text())
	}
	for back, want := range map[string]string{
		"/account/password/remove": "/account/password/remove", "/account": "/account", "https://evil.example/account": "/account",
		"//evil.example/account": "/account", "/account/../connections": "/account", "/connections": "/account",
		"https://console.vitae.example/apps/app_1/keys": "https://console.vitae.example/apps/app_1/keys", "https://console.vitae.example.evil.example/": "/account",
		"https://console.vitae.example@evil.example/": "/account", "https://console.vitae.example/../x": "/account", "https://console.vitae.example//x": "/account",
	} {
		for name, proof := range map[string]string{"password": pagestest.GoodPassword, "credential": pagestest.GoodAnswer} {
			v.Backend.Unproven = true
			if a := v.Filled("/account/confirm", url.Values{"return": {back}, name: {proof}}); a.Header.Get("Location") != want {
				t.Errorf("%s by %s: to %q", back, name, a.Header.Get("Location"))
			}
		}
	}
	v.Backend.Unproven = true
	page := v.Get("/account/confirm?" + url.Values{"return": {"https://console.vitae.example/team"}}.Encode())
	if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' https://console.vitae.example;") {
		t.Errorf("the answer of the form may not lead to the console: %s", policy)
	}
	// The proof may have ended since the page was shown.
	v.Backend.PasskeyFail = pagestest.ErrProof
	if a := v.Post("/account/password/remove", url.Values{}); !strings.HasPrefix(a.Header.Get("Location"), "/account/confirm?") {
		t.Errorf("to %s", a.Header.Get("Location"))
	}
}

func TestPasskeysAreListedAndRemovedAfterAQuestion(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Passkeys = []*authv1.Passkey{
		{Id: "pky_1", Name: "هاتفي", CreatedAt: timestamppb.New(pagestest.Now), UsedAt: timestamppb.New(pagestest.Now.Add(time.Hour))},
		{Id: "pky_2", Name: "<b>", CreatedAt: timestamppb.New(pagestest.Now)},
	}
	shown := v.Get("/account")
	for _, want := range []string{"هاتفي", "Last used on 9 March 2026 at 11:00 UTC.", "Not used yet.", "<b>"} {
		if !strings.Contains(shown.Text(), want) {
			t.Errorf("the account lacks %q: %s", want, shown.Text())
		}
	}
	asked := v.Get("/account/passkeys/pky_2/remove")
	if !strings.Contains(asked.Text(), "Remove passkey") || len(v.Backend.Removed) != 0 {
		t.Errorf("%d %s", asked.StatusCode, asked.Text())
	}
	if a := v.Get("/account/passkeys/pky_3/remove"); a.Header.Get("Location") != "/account" {
		t.Errorf("one that is gone: %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	if a := v.Post("/account/passkeys/pky_2/remove", url.Values{}); a.Header.Get("Location") != "/account" || v.Backend.Removed[0] != "pky_2" {
		t.Errorf("%d to %s, removed %v", a.StatusCode, a.Header.Get("Location"), v.Backend.Removed)
	}
	v.Backend.PasskeyFail = errs.New(errs.Precondition, "LAST_WAY_IN", "no")
	v.Post("/account/password/remove", url.Values{})
	if got := v.Get("/account").Text(); !strings.Contains(got, "Nothing was removed") {
		t.Errorf("the last way in: %s", got)
	}
}

func TestAPasskeyIsRenamed(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Unproven = true // a name opens nothing
	v.Backend.Passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "Chrome on Linux", CreatedAt: timestamppb.New(pagestest.Now)}}
	if v.Get("/account").ByHref("/account/passkeys/pky_1/rename") == nil {
		t.Error("the account leads to no form")
	}
	page := "/account/passkeys/pky_1/rename"
	if got := pagestest.Attribute(v.Get(page).ByID("name"), "value"); got != "Chrome on Linux" {
		t.Errorf("the form begins with %q", got)
	}
	for _, name := range []string{" ", strings.Repeat("n", 101)} {
		if a := v.Post(page, url.Values{"name": {name}}); a.StatusCode != http.StatusUnprocessableEntity || !pagestest.Has(a.ByID("name"), "autofocus") {
			t.Errorf("%q: %d", name, a.StatusCode)
		}
	}
	a := v.Post(page, url.Values{"name": {" مفتاح\u2028المكتب "}})
	if a.Header.Get("Location") != "/account" || len(v.Backend.Renamed) != 1 || v.Backend.Renamed[0].GetId() != "pky_1" || v.Backend.Renamed[0].GetName() != "مفتاح المكتب" {
		t.Errorf("%d, auth is told %v", a.StatusCode, v.Backend.Renamed)
	}
	if got := v.Get("/account").Text(); !strings.Contains(got, "Passkey renamed.") {
		t.Errorf("%s", got)
	}
	v.Backend.PasskeyFail = errs.New(errs.NotFound, "PASSKEY_UNKNOWN", "no")
	if a := v.Post(page, url.Values{"name": {"x"}}); a.Header.Get("Location") != "/account" {
		t.Errorf("one that is gone: %d", a.StatusCode)
	}
	if a := v.Get("/account/passkeys/pky_2/rename"); a.Header.Get("Location") != "/account" {
		t.Errorf("one that is gone: %d", a.StatusCode)
	}
}

// What the pages let through and auth refuses is said at the field, and the form keeps what was
// typed.
func TestANameThatAuthRefusesIsSaidAtItsField(t *testing.T) {
	t.Parallel()
	const turned = "phone\u202eenohp"
	for _, page := range []string{"/account/passkeys/new", "/account/passkeys/pky_1/rename"} {
		v := pagestest.SignedIn(t)
		v.Backend.Passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(pagestest.Now)}}
		v.Backend.PasskeyFail = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithField("name")
		a := v.Post(page, url.Values{"name": {turned}, "credential": {pagestest.GoodAnswer}})
		name := a.ByID("name")
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "without control characters") || !pagestest.Has(name, "autofocus") || pagestest.Attribute(name, "value") != turned {
			t.Errorf("%s: %d %s", page, a.StatusCode, a.Text())
		}
	}
}

// The page offers first what was used last in this browser.
func TestThePasskeyStandsFirstWhereOneHasSignedIn(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	first := func() bool {
		a := v.Get("/sign-in")
		if at := pagestest.Attribute(a.ByID("email"), "autocomplete"); at != "username webauthn" {
			t.Errorf("the field of the address has autocomplete %q", at)
		}
		return strings.Index(a.Body, `action="/sign-in/passkey"`) < strings.Index(a.Body, `action="/sign-in"`)
	}
	if first() {
		t.Error("first in a new browser")
	}
	v.Send(http.MethodPost, "/sign-in/passkey", url.Values{"csrf": {v.Get("/sign-in").Token()}, "credential": {pagestest.GoodAnswer}})
	v.Post("/sign-out", url.Values{})
	if !first() {
		t.Error("not first after a sign-in by a passkey")
	}
	v.SignIn()
	v.Post("/sign-out", url.Values{})
	if first() {
		t.Error("first after a sign-in by the password")
	}
}

func TestAnAccountWithoutAPasswordSetsOneAfterAProof(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.NoPassword = true
	v.Backend.Passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(pagestest.Now)}}
	a := v.Get("/account")
	if a.ByID("current_password") != nil || a.ByID("new_password") == nil || a.ByHref("/account/password/remove") != nil {
		t.Errorf("%s", a.Text())
	}
	fresh := url.Values{"new_password": {"a quiet harbour"}}
	v.Backend.Unproven = true
	if a := filledAccount(v, fresh); a.Header.Get("Location") != "/account/confirm?return=%2Faccount" || len(v.Backend.Changed) != 0 {
		t.Errorf("without a proof: %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	v.Filled("/account/confirm", url.Values{"return": {"/account"}, "credential": {pagestest.GoodAnswer}})
	if got := v.Get("/account").Text(); !strings.Contains(got, "You can continue now.") {
		t.Errorf("after the proof: %s", got)
	}
	if a := filledAccount(v, fresh); a.Header.Get("Location") != "/account" || len(v.Backend.Changed) != 1 || v.Backend.Changed[0].GetNewPassword() != "a quiet harbour" {
		t.Errorf("%d, auth is told %v", a.StatusCode, v.Backend.Changed)
	}
	v.Backend.Unproven = true
	if a := v.Get("/account/confirm"); a.ByID("password") != nil || !strings.Contains(a.Body, "/account/confirm/start") {
		t.Errorf("%s", a.Text())
	}
}

func TestANewAccountWithAPasskeyNeedsNoPassword(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	page := "/sign-up/confirm?token=" + pagestest.GoodToken
	form := url.Values{"csrf": {v.Get(page).Token()}, "token": {pagestest.GoodToken}, "name": {"Chrome on Linux"}, "credential": {pagestest.GoodAnswer}}
	v.Send(http.MethodPost, "/sign-up/confirm/start", form)
	a := v.Send(http.MethodPost, "/sign-up/confirm", form)
	if a.StatusCode != http.StatusSeeOther || v.Cookies["__Host-vitae_session"] == nil {
		t.Fatalf("%d %s", a.StatusCode, a.Text())
	}
	sent, begun := v.Backend.Completed[0], v.Backend.Begun[0]
	if string(sent.GetPasskey()) != pagestest.GoodAnswer || sent.GetPasskeyName() != "Chrome on Linux" || sent.GetPassword() != "" || sent.GetToken() != pagestest.GoodToken ||
		begun.GetBoundTo() != pagestest.GoodToken || begun.GetPurpose() != authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_UP {
		t.Errorf("auth is told %v, then %v", begun, sent)
	}
}

func TestTheTrailIsToldInWordsInBothLanguages(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for _, a := range append([]audit.Action{"thing.of_a_newer_release"}, audit.Actions...) {
		if a.ForOwner() || !a.Known() {
			v.Backend.Events = append(v.Backend.Events, &authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(a)})
		}
	}
	v.Backend.Events = append(v.Backend.Events, &authv1.OwnEvent{
		At: timestamppb.New(pagestest.Now), Action: string(audit.SignIn), Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED,
		Browser: &authv1.Browser{Name: "Firefox", System: "Linux"}, Repeated: 7, Country: "AE",
	}, &authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConnectionDisconnect), AppName: "Acme Jobs", ByOperator: true},
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.SignIn), Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, Repeated: 1})
	changed := map[string]string{audit.Sharing: "on", audit.ShareEmail: "off", audit.Paused: "on", audit.EndsAt: "2026-05-01T00:00:00Z"}
	v.Backend.Events = append(v.Backend.Events,
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConnectionUpdate), AppName: "Acme Jobs", Details: changed},
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConnectionUpdate), Details: map[string]string{audit.Sharing: "off"}},
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConnectionUpdate), Details: map[string]string{audit.EndsAt: audit.Never, audit.Sharing: "of a newer release"}},
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConsentGrant), AppName: "Acme Jobs", Details: map[string]string{audit.Kept: "yes"}})
	v.Backend.Older = "next page"
	for lang, wants := range map[string][]string{
		"en": {"Something else", "Sign-in (refused)", "Firefox on Linux Country: United Arab Emirates. And 7 times more.", "And once more.", "App disconnected: Acme Jobs", "By a Vitae operator.", "9 March 2026, 10:00 UTC.",
			"App access changed: Acme Jobs Email address no longer shared Paused Access ends on 1 May 2026 at 00:00 UTC", "App access changed CV no longer shared",
			"Access no longer ends by itself", "Continued to an app, with access unchanged: Acme Jobs"},
		"ar": {"أمر آخر", "تسجيل دخول (مرفوض)", "البلد: الإمارات العربية المتحدة .", "وتكرر ذلك بعدها 7 مرات", "وتكرر ذلك بعدها مرة واحدة", "فصل تطبيق: Acme Jobs", "من القائمين على هذا الموقع.", "إيقاف مشاركة البريد الإلكتروني"},
	} {
		v.Lang = lang
		a := v.Get("/account/activity?after=here")
		if a.StatusCode != http.StatusOK || a.ByHref("/account/activity?after=next+page") == nil {
			t.Fatalf("%s: %d %s", lang, a.StatusCode, a.Text())
		}
		for _, want := range wants {
			if !strings.Contains(a.Text(), want) {
				t.Errorf("%s lacks %q: %s", lang, want, a.Text())
			}
		}
	}
	if got := v.Backend.Asked; len(got) != 2 || got[0] != "here" {
		t.Errorf("asked for the pages after %v", got)
	}
}
