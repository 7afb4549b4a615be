package consent_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages"
	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func allow(more ...string) url.Values {
	return url.Values{"decision": {"allow"}, "cv": {"master"}, "scope": more}
}

func TestAllowReturnsCodeStateAndIssuer(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	form := allow("email", "cv:read")
	form.Set("cv", "cv_2")
	form.Set("photo", "1")
	a := v.Post(pagestest.ConsentPath, form)
	got := a.Query(t)
	if got.Get("code") != "svc_ac_code+/=" || got.Get("state") != pagestest.ConsentState || got.Get("iss") != pagestest.BaseURL || got.Get("lang") != "en" || len(got) != 4 {
		t.Errorf("app receives %v", got)
	}
	if raw := a.Header.Get("Location"); !strings.Contains(raw, "state=a%26b%3D%2B%20%22%E2%9C%93%0D%0A") {
		t.Errorf("the state is not percent-encoded: %s", raw)
	}
	req := v.Backend.Authorized[0]
	if !slices.Equal(req.GetGrantedScopes(), []string{"profile", "email", "cv:read"}) || req.GetCvId() != "cv_2" || !req.GetSharePhoto() ||
		req.GetParameters().GetState() != pagestest.ConsentState || req.GetSessionToken() == "" {
		t.Errorf("auth received %v", req)
	}
}

func TestUnusualStateIsReturnedUnchanged(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	path := "/oauth/authorize?client_id=svc_ci_1&scope=profile&state=a;b&redirect_uri=" + url.QueryEscape(pagestest.RedirectURI)
	if page := v.Get(path); page.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s", page.StatusCode, page.Text())
	}
	if got := v.Post(path, allow()).Query(t); got.Get("state") != "a;b" || got.Get("code") == "" {
		t.Errorf("app receives %v", got)
	}
}

func TestAnyScopeButProfileCanBeDropped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		scopes []string
		want   []string
		cv     string
	}{
		{nil, []string{"profile"}, ""},
		{[]string{"email"}, []string{"profile", "email"}, ""},
		{[]string{"cv:read"}, []string{"profile", "cv:read"}, "master"},
		{[]string{"cv:contact", "cv:read", "email", "profile"}, []string{"profile", "email", "cv:read", "cv:contact"}, "master"},
		{[]string{"admin", "cv:write"}, []string{"profile"}, ""},
	} {
		v := pagestest.SignedIn(t)
		v.Post(pagestest.ConsentPath, allow(tt.scopes...)).Query(t)
		req := v.Backend.Authorized[0]
		if !slices.Equal(req.GetGrantedScopes(), tt.want) || req.GetCvId() != tt.cv || req.GetSharePhoto() {
			t.Errorf("%v: granted scopes %v, CV %q, photo %t", tt.scopes, req.GetGrantedScopes(), req.GetCvId(), req.GetSharePhoto())
		}
	}
}

func TestUnrequestedScopesAreNotGranted(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	path := "/oauth/authorize?client_id=svc_ci_1&scope=profile&redirect_uri=" + url.QueryEscape(pagestest.RedirectURI)
	page := v.Get(path)
	for _, id := range []string{"scope-email", "scope-cv", "scope-contact", "cvs-legend"} {
		if page.ByID(id) != nil {
			t.Errorf("%s is offered", id)
		}
	}
	v.Post(path, allow("email", "cv:read", "cv:contact")).Query(t)
	if got := v.Backend.Authorized[0].GetGrantedScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("granted scopes %v", got)
	}
}

func TestNothingPrivateIsPreselected(t *testing.T) {
	t.Parallel()
	page := pagestest.SignedIn(t).Get(pagestest.ConsentPath)
	for id, want := range map[string]bool{
		"scope-profile": true, "scope-email": true, "scope-cv": true, "scope-contact": false, "photo": false, "cv-0": true, "cv-1": false,
	} {
		if got := pagestest.Has(page.ByID(id), "checked"); got != want {
			t.Errorf("%s checked: %t", id, got)
		}
	}
	if !pagestest.Has(page.ByID("scope-profile"), "disabled") {
		t.Error("profile can be unticked")
	}
}

func TestContactDetailsNeedCV(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	form := allow("cv:contact")
	form.Set("cv", "cv_2")
	form.Set("photo", "1")
	a := v.Post(pagestest.ConsentPath, form)
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "Private contact details are part of the CV.") {
		t.Fatalf("status %d: %s", a.StatusCode, a.Text())
	}
	for id, want := range map[string]bool{"scope-email": false, "scope-cv": false, "scope-contact": true, "photo": true, "cv-0": false, "cv-1": true} {
		if got := pagestest.Has(a.ByID(id), "checked"); got != want {
			t.Errorf("%s checked: %t", id, got)
		}
	}
	if len(v.Backend.Authorized) != 0 {
		t.Error("auth was called")
	}
	var form2 string
	for n := range a.Root.Descendants() {
		if n.Data == "form" && pagestest.Attribute(n, "action") != "/sign-out" {
			form2 = pagestest.Attribute(n, "action")
		}
	}
	again, err := url.Parse(form2)
	if err != nil || again.Query().Get("state") != pagestest.ConsentState {
		t.Errorf("link in the form leads to %q", form2)
	}
}

func TestOnlyOwnCVsCanBeShared(t *testing.T) {
	t.Parallel()
	for cv, want := range map[string]string{"cv_someone_elses": "That CV is no longer available.", "": "Choose the CV to share."} {
		v := pagestest.SignedIn(t)
		form := allow("cv:read")
		form.Set("cv", cv)
		a := v.Post(pagestest.ConsentPath, form)
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), want) || len(v.Backend.Authorized) != 0 {
			t.Errorf("%q: status %d: %s", cv, a.StatusCode, a.Text())
		}
	}
}

func TestMainCVIsSharedBeforeItExists(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.CVs = &candidatev1.ListOwnCvsResponse{Name: "Layla Haddad"}
	page := v.Get(pagestest.ConsentPath)
	if !strings.Contains(page.Text(), "You don’t have a CV yet.") || page.ByID("cvs-legend") != nil {
		t.Errorf("page is %s", page.Text())
	}
	v.Post(pagestest.ConsentPath, allow("cv:read")).Query(t)
	if got := v.Backend.Authorized[0].GetCvId(); got != "master" {
		t.Errorf("shared CV is %q", got)
	}
}

func TestConsentNeedsProfile(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"en": "Your profile isn’t ready yet", "ar": "ملفك الشخصي ليس جاهزًا بعد"} {
		v := pagestest.SignedIn(t)
		v.Lang = lang
		v.Backend.CVs = &candidatev1.ListOwnCvsResponse{}
		for _, a := range []pagestest.Response{v.Get(pagestest.ConsentPath), v.Post(pagestest.ConsentPath, allow("cv:read"))} {
			if a.StatusCode != http.StatusConflict || !strings.Contains(a.Text(), want) || a.ByID("scope-profile") != nil {
				t.Errorf("%s: status %d: %s", lang, a.StatusCode, a.Text())
			}
		}
		if len(v.Backend.Authorized) != 0 {
			t.Error("a code was issued")
		}
		v.Post(pagestest.ConsentPath, url.Values{"decision": {"cancel"}}).Query(t)
	}
}

func TestCancelReturnsAccessDenied(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	if a := v.Post(pagestest.ConsentPath, url.Values{}); a.StatusCode != http.StatusBadRequest {
		t.Errorf("without a decision: status %d", a.StatusCode)
	}
	got := v.Post(pagestest.ConsentPath, url.Values{"decision": {"cancel"}}).Query(t)
	if got.Get("error") != "access_denied" || got.Get("state") != pagestest.ConsentState || got.Get("iss") != pagestest.BaseURL || got.Get("lang") != "en" || got.Has("code") {
		t.Errorf("app receives %v", got)
	}
	if len(v.Backend.Authorized) != 0 {
		t.Error("a code was issued")
	}
}

func TestFaultIsSentToAppBeforeSignIn(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Backend.Fault = &authv1.AuthorizationFault{Error: "invalid_scope", Description: "The scope x is unknown."}
	got := v.Get(pagestest.ConsentPath).Query(t)
	if got.Get("error") != "invalid_scope" || got.Get("error_description") != "The scope x is unknown." || got.Get("state") != pagestest.ConsentState || got.Get("iss") != pagestest.BaseURL {
		t.Errorf("app receives %v", got)
	}
}

func TestConsoleIsMarked(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	if page := v.Get(pagestest.ConsentPath); strings.Contains(page.Text(), "Part of Vitae") {
		t.Error("an ordinary app is shown as part of Vitae")
	}
	v.Backend.OfVitae, v.Backend.Publisher = true, "Vitae"
	if page := v.Get(pagestest.ConsentPath); !strings.Contains(page.Text(), "Part of Vitae") {
		t.Error(page.Text())
	}
}

// Anyone can register an app, so a link to these pages must not redirect straight to an app's site.
func TestFaultRedirectsOnlyToVerifiedApps(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Backend.Fault = &authv1.AuthorizationFault{Error: "invalid_scope", Description: "The scope x is unknown."}
	browser := func(r *http.Request) { r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8") }
	for _, path := range []string{pagestest.ConsentPath, strings.Replace(pagestest.ConsentPath, "/oauth/authorize", "/oauth/legacy/authorize", 1)} {
		v.Backend.Verified = false
		a := v.Get(path, browser)
		link := ""
		for n := range a.Root.Descendants() {
			if strings.HasPrefix(pagestest.Attribute(n, "href"), pagestest.RedirectURI) {
				link = pagestest.Attribute(n, "href") + pagestest.TextOf(n)
			}
		}
		if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" || !strings.Contains(a.Text(), "The scope x is unknown.") ||
			!strings.Contains(link, "error=invalid_scope") || !strings.Contains(link, "state=") || !strings.Contains(link, "Go back to") {
			t.Errorf("status %d, redirect to %q, link %q: %s", a.StatusCode, a.Header.Get("Location"), link, a.Text())
		}
		v.Backend.Verified = true
		if got := v.Get(path, browser).Query(t); got.Get("error") != "invalid_scope" {
			t.Errorf("verified app receives %v", got)
		}
	}
}

func TestUntrustedAppGetsNoRedirect(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*pagestest.Visitor) string{
		"unknown client": func(v *pagestest.Visitor) string {
			v.Backend.Refuse = errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "x")
			return pagestest.ConsentPath
		},
		"unknown client, legacy": func(v *pagestest.Visitor) string {
			v.Backend.Refuse = errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "x")
			return pagestest.LegacyPath
		},
		"foreign redirect URI": func(*pagestest.Visitor) string {
			return "/oauth/authorize?client_id=svc_ci_1&redirect_uri=https%3A%2F%2Fevil.example"
		},
		"doubled redirect URI": func(*pagestest.Visitor) string {
			return pagestest.ConsentPath + "&redirect_uri=https%3A%2F%2Fevil.example"
		},
		"malformed query":       func(*pagestest.Visitor) string { return pagestest.ConsentPath + "&%zz=1" },
		"redirect URI not text": func(*pagestest.Visitor) string { return "/oauth/authorize?client_id=svc_ci_1&redirect_uri=%ff" },
	} {
		v := pagestest.SignedIn(t)
		path := change(v)
		for _, a := range []pagestest.Response{v.Get(path), v.Post(path, allow("email")), v.Post(path, url.Values{"decision": {"cancel"}})} {
			if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" || !strings.Contains(a.Text(), "This app can’t be connected") {
				t.Errorf("%s: status %d, redirect to %q: %s", name, a.StatusCode, a.Header.Get("Location"), a.Text())
			}
		}
	}
}

func TestEndedSessionSignsInAgain(t *testing.T) {
	t.Parallel()
	want := "/sign-in?" + url.Values{"return": {pagestest.ConsentPath}}.Encode()
	v := pagestest.SignedIn(t)
	clear(v.Backend.Sessions)
	if a := v.Post(pagestest.ConsentPath, allow()); a.Header.Get("Location") != want || v.Cookies["__Host-vitae_session"] != nil {
		t.Errorf("session ended before the page: status %d, redirect to %q", a.StatusCode, a.Header.Get("Location"))
	}
	v = pagestest.SignedIn(t)
	v.Backend.ListFail = errs.New(errs.Unauthenticated, "SESSION_ENDED", "x")
	if a := v.Get(pagestest.ConsentPath); a.Header.Get("Location") != want {
		t.Errorf("session ended before the form: status %d, redirect to %q", a.StatusCode, a.Header.Get("Location"))
	}
	v = pagestest.SignedIn(t)
	v.Backend.AuthorizeFail = errs.New(errs.Unauthenticated, "SESSION_ENDED", "x")
	if a := v.Post(pagestest.ConsentPath, allow()); a.Header.Get("Location") != want {
		t.Errorf("session ended during the request: status %d, redirect to %q", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestScopesRejectedByAuthAreReported(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.AuthorizeFail = errs.New(errs.Invalid, "OAUTH_INVALID_SCOPE", "x")
	a := v.Post(pagestest.ConsentPath, allow("email"))
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "This selection isn’t possible for Acme Jobs.") {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
	}
}

func TestPolicyAllowsEveryRedirect(t *testing.T) {
	t.Parallel()
	csp := pagestest.SignedIn(t).Get(pagestest.ConsentPath).Header.Get("Content-Security-Policy")
	if strings.Contains(csp, "form-action") || !strings.Contains(csp, "frame-ancestors 'none'") || !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "script-src") {
		t.Errorf("%s", csp)
	}
}

func TestNoAppConnectsWhilePlatformIsOff(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Pages = pagestest.NewPages(t, func(c *pages.Config) { c.PlatformOn = false })
	if a := v.Get(pagestest.ConsentPath); a.StatusCode != http.StatusNotFound || !strings.Contains(a.Text(), "Apps can’t be connected now") {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
	}
	if a := v.Post(pagestest.ConsentPath, allow()); a.StatusCode != http.StatusNotFound || len(v.Backend.Authorized) != 0 {
		t.Errorf("status %d", a.StatusCode)
	}
}

// (behaviour: sharing#texts-are-not-filtered).
func TestConsentSaysThatTextsAreNotFiltered(t *testing.T) {
	t.Parallel()
	const told = "A phone number or address that you typed into the text is shared too."
	v := pagestest.SignedIn(t)
	if page := v.Get(pagestest.ConsentPath); !strings.Contains(page.Text(), told) {
		t.Errorf("page of an app that requests the CV: %s", page.Text())
	}
	without := "/oauth/authorize?client_id=svc_ci_1&scope=profile%20email&redirect_uri=" + url.QueryEscape(pagestest.RedirectURI)
	if page := v.Get(without); page.StatusCode != http.StatusOK || strings.Contains(page.Text(), told) {
		t.Errorf("page of an app that does not request the CV: %s", page.Text())
	}
}
