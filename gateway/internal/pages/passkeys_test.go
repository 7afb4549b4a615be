package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"google.golang.org/protobuf/types/known/timestamppb"

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
		v := visit(t, c.appURL)
		confirm := "/sign-up/confirm?token=" + goodToken
		for page, action := range map[string]string{"/sign-in?return=%2Faccount": "/sign-in/passkey", confirm: "/sign-up/confirm/start"} {
			a := v.get(page, at(c.host))
			if got := strings.Contains(a.body, action); got != c.on {
				t.Errorf("%s at %s, %s: offered %t", c.appURL, c.host, page, got)
			}
			if got := strings.Contains(a.text(), "Passkeys aren’t available"); got == c.on {
				t.Errorf("%s at %s, %s: says why not %t", c.appURL, c.host, page, got)
			}
			if c.elsewhere != "" && !strings.Contains(a.body, `href="`+c.elsewhere+page+`"`) {
				t.Errorf("%s at %s: no way to %s%s", c.appURL, c.host, c.elsewhere, page)
			}
			// Behind the page may stand an app's request, which fills a phone.
			if shown := a.text(); c.elsewhere != "" && (!strings.Contains(shown, c.elsewhere) || strings.Contains(shown, c.elsewhere+"/")) {
				t.Errorf("%s at %s: the text of the link is not the site alone: %s", c.appURL, c.host, shown)
			}
			if policy := a.Header.Get(web.PolicyHeader); !strings.Contains(policy, "script-src 'self'; connect-src 'self'") || strings.Contains(policy, "unsafe") {
				t.Errorf("%s: %s", page, policy)
			}
		}
		v.signIn()
		if got := v.get("/account", at(c.host)).byHref("/account/passkeys/new"); (got != nil) != c.on {
			t.Errorf("%s at %s, account: offered %t", c.appURL, c.host, got != nil)
		}
	}
}

func TestAPasskeySignsInAndReturnsToPagesOfOursOnly(t *testing.T) {
	t.Parallel()
	for back, want := range map[string]string{"/account": "/account", "https://evil.example/": "/connections"} {
		v := visit(t, "https://app.vitae.example")
		v.lang = "ar"
		token := v.get("/sign-in").token()
		form := url.Values{"csrf": {token}, "return": {back}, "credential": {goodAnswer}}
		begun := v.send(http.MethodPost, "/sign-in/passkey/start", form)
		if begun.Header.Get("Content-Type") != "application/json" || begun.body != `{"challenge":"AA"}` || begun.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %v %s", begun.StatusCode, begun.Header, begun.body)
		}
		in := v.send(http.MethodPost, "/sign-in/passkey", form)
		if in.StatusCode != http.StatusSeeOther || in.Header.Get("Location") != want || v.cookies["__Host-vitae_session"] == nil {
			t.Errorf("%d to %s", in.StatusCode, in.Header.Get("Location"))
		}
		sent := v.backend.entered[0]
		if first := v.backend.begun[0]; first.GetBoundTo() != sent.GetBoundTo() || sent.GetBoundTo() != token ||
			string(sent.GetCredential()) != goodAnswer || sent.GetClientIp() != "203.0.113.7" || sent.GetLanguage() != "ar" {
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
		for _, page := range []string{"/sign-in", "/sign-up/confirm?token=" + goodToken, "/account/passkeys/new", "/account/confirm"} {
			v := visit(t, "https://app.vitae.example")
			v.signIn()
			v.backend.passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(now)}}
			v.backend.passkeyFail, v.backend.accountFail = fail, fail
			v.backend.unproven = page == "/account/confirm"
			action, form := strings.TrimSuffix(page, "?token="+goodToken), url.Values{"token": {goodToken}, "name": {"My phone"}, "credential": {goodAnswer}}
			if page == "/sign-in" {
				clear(v.backend.sessions)
				action = "/sign-in/passkey"
			}
			form.Set("csrf", v.get(page).token())
			a := v.send(http.MethodPost, action, form)
			if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), want) {
				t.Errorf("%v at %s: %d %s", fail, page, a.StatusCode, a.text())
			}
		}
	}
}

func TestWithoutAScriptNoPasskeyIsSent(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	a := v.send(http.MethodPost, "/sign-in/passkey", url.Values{"csrf": {v.get("/sign-in").token()}})
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), "Passkeys need JavaScript") || len(v.backend.entered) != 0 {
		t.Errorf("%d %s", a.StatusCode, a.text())
	}
	v.signIn()
	a = v.filled("/account/passkeys/new", url.Values{"name": {strings.Repeat("n", 101)}})
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), "up to 100 characters") || len(v.backend.added) != 0 {
		t.Errorf("%d %s", a.StatusCode, a.text())
	}
}

// Every change of the ways in leads to the page that asks for a proof, and back.
func TestChangesOfTheWaysInLeadThroughAProofAndBack(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.backend.passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(now)}}
	v.backend.unproven = true
	for path, back := range map[string]string{
		"/account/passkeys/new": "/account/passkeys/new", "/account/passkeys/pky_1/remove": "/account/passkeys/pky_1/remove",
		"/account/password/remove": "/account/password/remove", "/account/passkeys/start": "/account/passkeys/new",
	} {
		want := "/account/confirm?" + url.Values{"return": {back}}.Encode()
		if path != "/account/passkeys/start" {
			if a := v.get(path); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
				t.Errorf("GET %s: %d to %s", path, a.StatusCode, a.Header.Get("Location"))
			}
		}
		if a := v.post(path, url.Values{}); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
			t.Errorf("POST %s: %d to %s", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
	// Forms that leave nothing behind lead back to the page that has them, which says so.
	for path, back := range map[string]string{"/account/data/delete": "/account/data/delete", "/account/data/exports/exp_1/download": "/account/data"} {
		if a := v.post(path, url.Values{}); a.Header.Get("Location") != "/account/confirm?"+(url.Values{"return": {back}}).Encode() {
			t.Errorf("POST %s: %d to %s", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
	if len(v.backend.removed)+len(v.backend.added)+len(v.backend.begun)+v.backend.passwordRemoved != 0 {
		t.Error("something was changed")
	}
	form := url.Values{"return": {"/account/password/remove"}, "password": {"wrong"}}
	if a := v.filled("/account/confirm", form); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), "The current password is incorrect") {
		t.Errorf("%d %s", a.StatusCode, a.text())
	}
	for back, want := range map[string]string{
		"/account/password/remove": "/account/password/remove", "/account": "/account", "https://evil.example/account": "/account",
		"//evil.example/account": "/account", "/account/../connections": "/account", "/connections": "/account",
		"https://console.vitae.example/apps/app_1/keys": "https://console.vitae.example/apps/app_1/keys", "https://console.vitae.example.evil.example/": "/account",
		"https://console.vitae.example@evil.example/": "/account", "https://console.vitae.example/../x": "/account", "https://console.vitae.example//x": "/account",
	} {
		for name, proof := range map[string]string{"password": goodPassword, "credential": goodAnswer} {
			v.backend.unproven = true
			if a := v.filled("/account/confirm", url.Values{"return": {back}, name: {proof}}); a.Header.Get("Location") != want {
				t.Errorf("%s by %s: to %q", back, name, a.Header.Get("Location"))
			}
		}
	}
	v.backend.unproven = true
	page := v.get("/account/confirm?" + url.Values{"return": {"https://console.vitae.example/team"}}.Encode())
	if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' https://console.vitae.example;") {
		t.Errorf("the answer of the form may not lead to the console: %s", policy)
	}
	// The proof may have ended since the page was shown.
	v.backend.passkeyFail = errProof
	if a := v.post("/account/password/remove", url.Values{}); !strings.HasPrefix(a.Header.Get("Location"), "/account/confirm?") {
		t.Errorf("to %s", a.Header.Get("Location"))
	}
}

func TestPasskeysAreListedAndRemovedAfterAQuestion(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.backend.passkeys = []*authv1.Passkey{
		{Id: "pky_1", Name: "هاتفي", CreatedAt: timestamppb.New(now), UsedAt: timestamppb.New(now.Add(time.Hour))},
		{Id: "pky_2", Name: "<b>", CreatedAt: timestamppb.New(now)},
	}
	shown := v.get("/account")
	for _, want := range []string{"هاتفي", "Last used on 9 March 2026 at 11:00 UTC.", "Not used yet.", "<b>"} {
		if !strings.Contains(shown.text(), want) {
			t.Errorf("the account lacks %q: %s", want, shown.text())
		}
	}
	asked := v.get("/account/passkeys/pky_2/remove")
	if !strings.Contains(asked.text(), "Remove passkey") || len(v.backend.removed) != 0 {
		t.Errorf("%d %s", asked.StatusCode, asked.text())
	}
	if a := v.get("/account/passkeys/pky_3/remove"); a.Header.Get("Location") != "/account" {
		t.Errorf("one that is gone: %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	if a := v.post("/account/passkeys/pky_2/remove", url.Values{}); a.Header.Get("Location") != "/account" || v.backend.removed[0] != "pky_2" {
		t.Errorf("%d to %s, removed %v", a.StatusCode, a.Header.Get("Location"), v.backend.removed)
	}
	v.backend.passkeyFail = errs.New(errs.Precondition, "LAST_WAY_IN", "no")
	v.post("/account/password/remove", url.Values{})
	if got := v.get("/account").text(); !strings.Contains(got, "Nothing was removed") {
		t.Errorf("the last way in: %s", got)
	}
}

func TestAPasskeyIsRenamed(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.backend.unproven = true // a name opens nothing
	v.backend.passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "Chrome on Linux", CreatedAt: timestamppb.New(now)}}
	if v.get("/account").byHref("/account/passkeys/pky_1/rename") == nil {
		t.Error("the account leads to no form")
	}
	page := "/account/passkeys/pky_1/rename"
	if got := attribute(v.get(page).byID("name"), "value"); got != "Chrome on Linux" {
		t.Errorf("the form begins with %q", got)
	}
	for _, name := range []string{" ", strings.Repeat("n", 101)} {
		if a := v.post(page, url.Values{"name": {name}}); a.StatusCode != http.StatusUnprocessableEntity || !has(a.byID("name"), "autofocus") {
			t.Errorf("%q: %d", name, a.StatusCode)
		}
	}
	a := v.post(page, url.Values{"name": {" مفتاح\u2028المكتب "}})
	if a.Header.Get("Location") != "/account" || len(v.backend.renamed) != 1 || v.backend.renamed[0].GetId() != "pky_1" || v.backend.renamed[0].GetName() != "مفتاح المكتب" {
		t.Errorf("%d, auth is told %v", a.StatusCode, v.backend.renamed)
	}
	if got := v.get("/account").text(); !strings.Contains(got, "Passkey renamed.") {
		t.Errorf("%s", got)
	}
	v.backend.passkeyFail = errs.New(errs.NotFound, "PASSKEY_UNKNOWN", "no")
	if a := v.post(page, url.Values{"name": {"x"}}); a.Header.Get("Location") != "/account" {
		t.Errorf("one that is gone: %d", a.StatusCode)
	}
	if a := v.get("/account/passkeys/pky_2/rename"); a.Header.Get("Location") != "/account" {
		t.Errorf("one that is gone: %d", a.StatusCode)
	}
}

// What the pages let through and auth refuses is said at the field, and the form keeps what was
// typed.
func TestANameThatAuthRefusesIsSaidAtItsField(t *testing.T) {
	t.Parallel()
	const turned = "phone\u202eenohp"
	for _, page := range []string{"/account/passkeys/new", "/account/passkeys/pky_1/rename"} {
		v := visit(t, "https://app.vitae.example")
		v.signIn()
		v.backend.passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(now)}}
		v.backend.passkeyFail = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithField("name")
		a := v.post(page, url.Values{"name": {turned}, "credential": {goodAnswer}})
		name := a.byID("name")
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), "without control characters") || !has(name, "autofocus") || attribute(name, "value") != turned {
			t.Errorf("%s: %d %s", page, a.StatusCode, a.text())
		}
	}
}

// The page offers first what was used last in this browser.
func TestThePasskeyStandsFirstWhereOneHasSignedIn(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	first := func() bool {
		a := v.get("/sign-in")
		if at := attribute(a.byID("email"), "autocomplete"); at != "username webauthn" {
			t.Errorf("the field of the address has autocomplete %q", at)
		}
		return strings.Index(a.body, `action="/sign-in/passkey"`) < strings.Index(a.body, `action="/sign-in"`)
	}
	if first() {
		t.Error("first in a new browser")
	}
	v.send(http.MethodPost, "/sign-in/passkey", url.Values{"csrf": {v.get("/sign-in").token()}, "credential": {goodAnswer}})
	v.post("/sign-out", url.Values{})
	if !first() {
		t.Error("not first after a sign-in by a passkey")
	}
	v.signIn()
	v.post("/sign-out", url.Values{})
	if first() {
		t.Error("first after a sign-in by the password")
	}
}

func TestAnAccountWithoutAPasswordSetsOneAfterAProof(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.backend.noPassword = true
	v.backend.passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(now)}}
	a := v.get("/account")
	if a.byID("current_password") != nil || a.byID("new_password") == nil || a.byHref("/account/password/remove") != nil {
		t.Errorf("%s", a.text())
	}
	fresh := url.Values{"new_password": {"a quiet harbour"}}
	v.backend.unproven = true
	if a := v.filledAccount(fresh); a.Header.Get("Location") != "/account/confirm?return=%2Faccount" || len(v.backend.changed) != 0 {
		t.Errorf("without a proof: %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	v.filled("/account/confirm", url.Values{"return": {"/account"}, "credential": {goodAnswer}})
	if got := v.get("/account").text(); !strings.Contains(got, "You can continue now.") {
		t.Errorf("after the proof: %s", got)
	}
	if a := v.filledAccount(fresh); a.Header.Get("Location") != "/account" || len(v.backend.changed) != 1 || v.backend.changed[0].GetNewPassword() != "a quiet harbour" {
		t.Errorf("%d, auth is told %v", a.StatusCode, v.backend.changed)
	}
	v.backend.unproven = true
	if a := v.get("/account/confirm"); a.byID("password") != nil || !strings.Contains(a.body, "/account/confirm/start") {
		t.Errorf("%s", a.text())
	}
}

func TestANewAccountWithAPasskeyNeedsNoPassword(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	page := "/sign-up/confirm?token=" + goodToken
	form := url.Values{"csrf": {v.get(page).token()}, "token": {goodToken}, "name": {"Chrome on Linux"}, "credential": {goodAnswer}}
	v.send(http.MethodPost, "/sign-up/confirm/start", form)
	a := v.send(http.MethodPost, "/sign-up/confirm", form)
	if a.StatusCode != http.StatusSeeOther || v.cookies["__Host-vitae_session"] == nil {
		t.Fatalf("%d %s", a.StatusCode, a.text())
	}
	sent, begun := v.backend.completed[0], v.backend.begun[0]
	if string(sent.GetPasskey()) != goodAnswer || sent.GetPasskeyName() != "Chrome on Linux" || sent.GetPassword() != "" || sent.GetToken() != goodToken ||
		begun.GetBoundTo() != goodToken || begun.GetPurpose() != authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_UP {
		t.Errorf("auth is told %v, then %v", begun, sent)
	}
}

func TestTheTrailIsToldInWordsInBothLanguages(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	for _, a := range append([]audit.Action{"thing.of_a_newer_release"}, audit.Actions...) {
		if a.ForOwner() || !a.Known() {
			v.backend.events = append(v.backend.events, &authv1.OwnEvent{At: timestamppb.New(now), Action: string(a)})
		}
	}
	v.backend.events = append(v.backend.events, &authv1.OwnEvent{
		At: timestamppb.New(now), Action: string(audit.SignIn), Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED,
		Browser: &authv1.Browser{Name: "Firefox", System: "Linux"}, Repeated: 7, Country: "AE",
	}, &authv1.OwnEvent{At: timestamppb.New(now), Action: string(audit.ConnectionDisconnect), AppName: "Acme Jobs", ByOperator: true},
		&authv1.OwnEvent{At: timestamppb.New(now), Action: string(audit.SignIn), Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, Repeated: 1})
	changed := map[string]string{audit.Sharing: "on", audit.ShareEmail: "off", audit.Paused: "on", audit.EndsAt: "2026-05-01T00:00:00Z"}
	v.backend.events = append(v.backend.events,
		&authv1.OwnEvent{At: timestamppb.New(now), Action: string(audit.ConnectionUpdate), AppName: "Acme Jobs", Details: changed},
		&authv1.OwnEvent{At: timestamppb.New(now), Action: string(audit.ConnectionUpdate), Details: map[string]string{audit.Sharing: "off"}},
		&authv1.OwnEvent{At: timestamppb.New(now), Action: string(audit.ConnectionUpdate), Details: map[string]string{audit.EndsAt: audit.Never, audit.Sharing: "of a newer release"}},
		&authv1.OwnEvent{At: timestamppb.New(now), Action: string(audit.ConsentGrant), AppName: "Acme Jobs", Details: map[string]string{audit.Kept: "yes"}})
	v.backend.older = "next page"
	for lang, wants := range map[string][]string{
		"en": {"Something else", "Sign-in (refused)", "Firefox on Linux Country: United Arab Emirates. And 7 times more.", "And once more.", "App disconnected: Acme Jobs", "By a Vitae operator.", "9 March 2026, 10:00 UTC.",
			"App access changed: Acme Jobs Email address no longer shared Paused Access ends on 1 May 2026 at 00:00 UTC", "App access changed CV no longer shared",
			"Access no longer ends by itself", "Continued to an app, with access unchanged: Acme Jobs"},
		"ar": {"أمر آخر", "تسجيل دخول (مرفوض)", "البلد: الإمارات العربية المتحدة .", "وتكرر ذلك بعدها 7 مرات", "وتكرر ذلك بعدها مرة واحدة", "فصل تطبيق: Acme Jobs", "من القائمين على هذا الموقع.", "إيقاف مشاركة البريد الإلكتروني"},
	} {
		v.lang = lang
		a := v.get("/account/activity?after=here")
		if a.StatusCode != http.StatusOK || a.byHref("/account/activity?after=next+page") == nil {
			t.Fatalf("%s: %d %s", lang, a.StatusCode, a.text())
		}
		for _, want := range wants {
			if !strings.Contains(a.text(), want) {
				t.Errorf("%s lacks %q: %s", lang, want, a.text())
			}
		}
	}
	if got := v.backend.asked; len(got) != 2 || got[0] != "here" {
		t.Errorf("asked for the pages after %v", got)
	}
}

// A name that the audit log does not take would be missing in the trail.
func TestTheAuditLogTakesEveryNameOfABrowser(t *testing.T) {
	t.Parallel()
	for detail, all := range map[string]signs{audit.Browser: browserSigns, audit.System: systemSigns} {
		for _, one := range all {
			if e := (audit.Event{Details: map[string]string{detail: one.name}}).Clean(); e.Details[detail] != one.name {
				t.Errorf("%s %q is left out", detail, one.name)
			}
		}
	}
}

// byHref gives the link to an address, nil if there is none.
func (a response) byHref(address string) *html.Node {
	for n := range a.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" && attribute(n, "href") == address {
			return n
		}
	}
	return nil
}
