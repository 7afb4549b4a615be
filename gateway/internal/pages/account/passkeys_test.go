package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestPasskeyFormsNeedScript(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	a := v.Send(http.MethodPost, "/sign-in/passkey", url.Values{"csrf": {v.Get("/sign-in").Token()}})
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "Passkeys need JavaScript") || len(v.Backend.Entered) != 0 {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
	}
	v.SignIn()
	a = v.Filled("/account/passkeys/new", url.Values{"name": {strings.Repeat("n", 101)}})
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "up to 100 characters") || len(v.Backend.Added) != 0 {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
	}
}

// Every change to a sign-in method leads to the page for re-authentication and then back.
func TestSensitivePagesNeedReauthentication(t *testing.T) {
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
				t.Errorf("GET %s: status %d, redirect to %s", path, a.StatusCode, a.Header.Get("Location"))
			}
		}
		if a := v.Post(path, url.Values{}); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
			t.Errorf("POST %s: status %d, redirect to %s", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
	// After re-authentication, the browser returns to the page that contains the form.
	for path, back := range map[string]string{"/account/data/delete": "/account/data/delete", "/account/data/exports/exp_1/download": "/account/data"} {
		if a := v.Post(path, url.Values{}); a.Header.Get("Location") != "/account/confirm?"+(url.Values{"return": {back}}).Encode() {
			t.Errorf("POST %s: status %d, redirect to %s", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
	if len(v.Backend.Removed)+len(v.Backend.Added)+len(v.Backend.Begun)+v.Backend.PasswordRemoved != 0 {
		t.Error("a change was made without re-authentication")
	}
	form := url.Values{"return": {"/account/password/remove"}, "password": {"wrong"}}
	if a := v.Filled("/account/confirm", form); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "The current password is incorrect") {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
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
		t.Errorf("the policy does not let the form redirect to the console: %s", policy)
	}
	// The proof may have expired since the page was rendered.
	v.Backend.PasskeyFail = pagestest.ErrProof
	if a := v.Post("/account/password/remove", url.Values{}); !strings.HasPrefix(a.Header.Get("Location"), "/account/confirm?") {
		t.Errorf("redirect to %s", a.Header.Get("Location"))
	}
}

func TestPasskeysAreListedAndRemoved(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Passkeys = []*authv1.Passkey{
		{Id: "pky_1", Name: "هاتفي", CreatedAt: timestamppb.New(pagestest.Now), UsedAt: timestamppb.New(pagestest.Now.Add(time.Hour))},
		{Id: "pky_2", Name: "<b>", CreatedAt: timestamppb.New(pagestest.Now)},
	}
	shown := v.Get("/account")
	for _, want := range []string{"هاتفي", "Last used on 9 March 2026 at 11:00 UTC.", "Not used yet.", "<b>"} {
		if !strings.Contains(shown.Text(), want) {
			t.Errorf("%q is missing on the account page: %s", want, shown.Text())
		}
	}
	asked := v.Get("/account/passkeys/pky_2/remove")
	if !strings.Contains(asked.Text(), "Remove passkey") || len(v.Backend.Removed) != 0 {
		t.Errorf("status %d: %s", asked.StatusCode, asked.Text())
	}
	if a := v.Get("/account/passkeys/pky_3/remove"); a.Header.Get("Location") != "/account" {
		t.Errorf("removed passkey: status %d, redirect to %s", a.StatusCode, a.Header.Get("Location"))
	}
	if a := v.Post("/account/passkeys/pky_2/remove", url.Values{}); a.Header.Get("Location") != "/account" || v.Backend.Removed[0] != "pky_2" {
		t.Errorf("status %d, redirect to %s, removed %v", a.StatusCode, a.Header.Get("Location"), v.Backend.Removed)
	}
	v.Backend.PasskeyFail = errs.New(errs.Precondition, "LAST_WAY_IN", "no")
	v.Post("/account/password/remove", url.Values{})
	if got := v.Get("/account").Text(); !strings.Contains(got, "Nothing was removed") {
		t.Errorf("for the last sign-in method: %s", got)
	}
}

func TestPasskeyIsRenamed(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Unproven = true // renaming needs no recent re-authentication
	v.Backend.Passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "Chrome on Linux", CreatedAt: timestamppb.New(pagestest.Now)}}
	if v.Get("/account").ByHref("/account/passkeys/pky_1/rename") == nil {
		t.Error("the account page does not link to the form")
	}
	page := "/account/passkeys/pky_1/rename"
	if got := pagestest.Attribute(v.Get(page).ByID("name"), "value"); got != "Chrome on Linux" {
		t.Errorf("the form is prefilled with %q", got)
	}
	for _, name := range []string{" ", strings.Repeat("n", 101)} {
		if a := v.Post(page, url.Values{"name": {name}}); a.StatusCode != http.StatusUnprocessableEntity || !pagestest.Has(a.ByID("name"), "autofocus") {
			t.Errorf("%q: status %d", name, a.StatusCode)
		}
	}
	a := v.Post(page, url.Values{"name": {" مفتاح\u2028المكتب "}})
	if a.Header.Get("Location") != "/account" || len(v.Backend.Renamed) != 1 || v.Backend.Renamed[0].GetId() != "pky_1" || v.Backend.Renamed[0].GetName() != "مفتاح المكتب" {
		t.Errorf("status %d, auth received %v", a.StatusCode, v.Backend.Renamed)
	}
	if got := v.Get("/account").Text(); !strings.Contains(got, "Passkey renamed.") {
		t.Errorf("%s", got)
	}
	v.Backend.PasskeyFail = errs.New(errs.NotFound, "PASSKEY_UNKNOWN", "no")
	if a := v.Post(page, url.Values{"name": {"x"}}); a.Header.Get("Location") != "/account" {
		t.Errorf("removed passkey: status %d", a.StatusCode)
	}
	if a := v.Get("/account/passkeys/pky_2/rename"); a.Header.Get("Location") != "/account" {
		t.Errorf("removed passkey: status %d", a.StatusCode)
	}
}

// If the auth service rejects a name that the pages accept, the error is shown next to the field and the
// form keeps the text.
func TestRejectedNameIsReportedAtField(t *testing.T) {
	t.Parallel()
	const turned = "phone\u202eenohp"
	for _, page := range []string{"/account/passkeys/new", "/account/passkeys/pky_1/rename"} {
		v := pagestest.SignedIn(t)
		v.Backend.Passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(pagestest.Now)}}
		v.Backend.PasskeyFail = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithField("name")
		a := v.Post(page, url.Values{"name": {turned}, "credential": {pagestest.GoodAnswer}})
		name := a.ByID("name")
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "without control characters") || !pagestest.Has(name, "autofocus") || pagestest.Attribute(name, "value") != turned {
			t.Errorf("%s: status %d: %s", page, a.StatusCode, a.Text())
		}
	}
}

func TestFirstPasswordNeedsReauthentication(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.NoPassword = true
	v.Backend.Passkeys = []*authv1.Passkey{{Id: "pky_1", Name: "My phone", CreatedAt: timestamppb.New(pagestest.Now)}}
	a := v.Get("/account")
	if a.ByID("current_password") != nil || a.ByID("new_password") == nil || a.ByHref("/account/password/remove") != nil {
		t.Errorf("page is %s", a.Text())
	}
	fresh := url.Values{"new_password": {"a quiet harbour"}}
	v.Backend.Unproven = true
	if a := filledAccount(v, fresh); a.Header.Get("Location") != "/account/confirm?return=%2Faccount" || len(v.Backend.Changed) != 0 {
		t.Errorf("without a proof: status %d, redirect to %s", a.StatusCode, a.Header.Get("Location"))
	}
	v.Filled("/account/confirm", url.Values{"return": {"/account"}, "credential": {pagestest.GoodAnswer}})
	if got := v.Get("/account").Text(); !strings.Contains(got, "You can continue now.") {
		t.Errorf("after the proof: %s", got)
	}
	if a := filledAccount(v, fresh); a.Header.Get("Location") != "/account" || len(v.Backend.Changed) != 1 || v.Backend.Changed[0].GetNewPassword() != "a quiet harbour" {
		t.Errorf("status %d, auth received %v", a.StatusCode, v.Backend.Changed)
	}
	v.Backend.Unproven = true
	if a := v.Get("/account/confirm"); a.ByID("password") != nil || !strings.Contains(a.Body, "/account/confirm/start") {
		t.Errorf("page is %s", a.Text())
	}
}
