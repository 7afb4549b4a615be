package entry_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// atHost returns a function that sets the host of a request, as if the browser had opened the page at that
// host.
func atHost(host string) func(*http.Request) { return func(r *http.Request) { r.Host = host } }

// Browsers create passkeys only for host names, and a local stack can be opened at an IP address as well as
// at localhost.
func TestPasskeysNeedHostName(t *testing.T) {
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
			a := v.Get(page, atHost(c.host))
			if got := strings.Contains(a.Body, action); got != c.on {
				t.Errorf("%s at %s, %s: offered %t", c.appURL, c.host, page, got)
			}
			if got := strings.Contains(a.Text(), "Passkeys aren’t available"); got == c.on {
				t.Errorf("%s at %s, %s: explains why not: %t", c.appURL, c.host, page, got)
			}
			if c.elsewhere != "" && !strings.Contains(a.Body, `href="`+c.elsewhere+page+`"`) {
				t.Errorf("%s at %s: no link to %s%s", c.appURL, c.host, c.elsewhere, page)
			}
			// The return path may contain an app's request, which would fill the screen of a phone.
			if shown := a.Text(); c.elsewhere != "" && (!strings.Contains(shown, c.elsewhere) || strings.Contains(shown, c.elsewhere+"/")) {
				t.Errorf("%s at %s: the link text is not just the site: %s", c.appURL, c.host, shown)
			}
			if policy := a.Header.Get(web.PolicyHeader); !strings.Contains(policy, "script-src 'self'; connect-src 'self'") || strings.Contains(policy, "unsafe") {
				t.Errorf("%s: %s", page, policy)
			}
		}
		v.SignIn()
		if got := v.Get("/account", atHost(c.host)).ByHref("/account/passkeys/new"); (got != nil) != c.on {
			t.Errorf("%s at %s, account: offered %t", c.appURL, c.host, got != nil)
		}
	}
}

func TestPasskeySignsIn(t *testing.T) {
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
			t.Errorf("status %d, redirect to %s", in.StatusCode, in.Header.Get("Location"))
		}
		sent := v.Backend.Entered[0]
		if first := v.Backend.Begun[0]; first.GetBoundTo() != sent.GetBoundTo() || sent.GetBoundTo() != token ||
			string(sent.GetCredential()) != pagestest.GoodAnswer || sent.GetClientIp() != "203.0.113.7" || sent.GetLanguage() != "ar" {
			t.Errorf("auth received %v, then %v", first, sent)
		}
	}
}

func TestPasskeyRefusalsAreExplained(t *testing.T) {
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
				t.Errorf("%v at %s: status %d: %s", fail, page, a.StatusCode, a.Text())
			}
		}
	}
}

// The page shows the method that was last used in this browser first.
func TestLastUsedMethodComesFirst(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	first := func() bool {
		a := v.Get("/sign-in")
		if at := pagestest.Attribute(a.ByID("email"), "autocomplete"); at != "username webauthn" {
			t.Errorf("the email field has autocomplete %q", at)
		}
		return strings.Index(a.Body, `action="/sign-in/passkey"`) < strings.Index(a.Body, `action="/sign-in"`)
	}
	if first() {
		t.Error("the passkey comes first in a new browser")
	}
	v.Send(http.MethodPost, "/sign-in/passkey", url.Values{"csrf": {v.Get("/sign-in").Token()}, "credential": {pagestest.GoodAnswer}})
	v.Post("/sign-out", url.Values{})
	if !first() {
		t.Error("the passkey does not come first after a sign-in with a passkey")
	}
	v.SignIn()
	v.Post("/sign-out", url.Values{})
	if first() {
		t.Error("the passkey comes first after a sign-in with the password")
	}
}

func TestSignUpWorksWithPasskey(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	page := "/sign-up/confirm?token=" + pagestest.GoodToken
	form := url.Values{"csrf": {v.Get(page).Token()}, "token": {pagestest.GoodToken}, "name": {"Chrome on Linux"}, "credential": {pagestest.GoodAnswer}}
	v.Send(http.MethodPost, "/sign-up/confirm/start", form)
	a := v.Send(http.MethodPost, "/sign-up/confirm", form)
	if a.StatusCode != http.StatusSeeOther || v.Cookies["__Host-vitae_session"] == nil {
		t.Fatalf("status %d: %s", a.StatusCode, a.Text())
	}
	sent, begun := v.Backend.Completed[0], v.Backend.Begun[0]
	if string(sent.GetPasskey()) != pagestest.GoodAnswer || sent.GetPasskeyName() != "Chrome on Linux" || sent.GetPassword() != "" || sent.GetToken() != pagestest.GoodToken ||
		begun.GetBoundTo() != pagestest.GoodToken || begun.GetPurpose() != authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_UP || len(v.Backend.Profiled) != 1 {
		t.Errorf("auth received %v, then %v", begun, sent)
	}
}
