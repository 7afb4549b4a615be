package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	consentPath  = "/oauth/authorize?" + consentQuery
	consentState = "a&b=+ \"✓\r\n"
)

// atConsent is a person who has signed in and sees the consent page.
func atConsent(t *testing.T) *visitor {
	t.Helper()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	return v
}

func allow(more ...string) url.Values {
	return url.Values{"decision": {"allow"}, "cv": {"master"}, "scope": more}
}

// query of the address at the app to which an answer leads.
func (a response) query(t *testing.T) url.Values {
	t.Helper()
	u, err := url.Parse(a.Header.Get("Location"))
	if err != nil || a.StatusCode != http.StatusSeeOther || u.Scheme+"://"+u.Host+u.Path != "https://jobs.example/callback" {
		t.Fatalf("%d to %q, %v", a.StatusCode, a.Header.Get("Location"), err)
	}
	return u.Query()
}

func TestAllowGivesTheCodeStateAndIssuerToTheApp(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	form := allow("email", "cv:read")
	form.Set("cv", "cv_2")
	form.Set("photo", "1")
	a := v.post(consentPath, form)
	got := a.query(t)
	if got.Get("code") != "svc_ac_code+/=" || got.Get("state") != consentState || got.Get("iss") != baseURL || got.Get("lang") != "en" || len(got) != 4 {
		t.Errorf("the app gets %v", got)
	}
	if raw := a.Header.Get("Location"); !strings.Contains(raw, "state=a%26b%3D%2B%20%22%E2%9C%93%0D%0A") {
		t.Errorf("the state is not percent-encoded: %s", raw)
	}
	req := v.backend.authorized[0]
	if !slices.Equal(req.GetGrantedScopes(), []string{"profile", "email", "cv:read"}) || req.GetCvId() != "cv_2" || !req.GetSharePhoto() ||
		req.GetParameters().GetState() != consentState || req.GetSessionToken() == "" {
		t.Errorf("auth is told %v", req)
	}
}

func TestStateThatNetURLRefusesComesBackToo(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	path := "/oauth/authorize?client_id=svc_ci_1&scope=profile&state=a;b&redirect_uri=" + url.QueryEscape(redirectURI)
	if page := v.get(path); page.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", page.StatusCode, page.text())
	}
	if got := v.post(path, allow()).query(t); got.Get("state") != "a;b" || got.Get("code") == "" {
		t.Errorf("the app gets %v", got)
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
		v := atConsent(t)
		v.post(consentPath, allow(tt.scopes...)).query(t)
		req := v.backend.authorized[0]
		if !slices.Equal(req.GetGrantedScopes(), tt.want) || req.GetCvId() != tt.cv || req.GetSharePhoto() {
			t.Errorf("%v grants %v, CV %q, photo %t", tt.scopes, req.GetGrantedScopes(), req.GetCvId(), req.GetSharePhoto())
		}
	}
}

func TestScopesThatTheAppDidNotAskForCannotBeGranted(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	path := "/oauth/authorize?client_id=svc_ci_1&scope=profile&redirect_uri=" + url.QueryEscape(redirectURI)
	page := v.get(path)
	for _, id := range []string{"scope-email", "scope-cv", "scope-contact", "cvs-legend"} {
		if page.byID(id) != nil {
			t.Errorf("%s is offered", id)
		}
	}
	v.post(path, allow("email", "cv:read", "cv:contact")).query(t)
	if got := v.backend.authorized[0].GetGrantedScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("granted %v", got)
	}
}

func TestNothingPrivateIsTickedBeforehand(t *testing.T) {
	t.Parallel()
	page := atConsent(t).get(consentPath)
	for id, want := range map[string]bool{
		"scope-profile": true, "scope-email": true, "scope-cv": true, "scope-contact": false, "photo": false, "cv-0": true, "cv-1": false,
	} {
		if got := has(page.byID(id), "checked"); got != want {
			t.Errorf("%s checked: %t", id, got)
		}
	}
	if !has(page.byID("scope-profile"), "disabled") {
		t.Error("profile can be unticked")
	}
}

func TestContactDetailsWithoutTheCVAreRefusedAndNothingIsLost(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	form := allow("cv:contact")
	form.Set("cv", "cv_2")
	form.Set("photo", "1")
	a := v.post(consentPath, form)
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), "Private contact details are part of the CV.") {
		t.Fatalf("%d %s", a.StatusCode, a.text())
	}
	for id, want := range map[string]bool{"scope-email": false, "scope-cv": false, "scope-contact": true, "photo": true, "cv-0": false, "cv-1": true} {
		if got := has(a.byID(id), "checked"); got != want {
			t.Errorf("%s checked: %t", id, got)
		}
	}
	if len(v.backend.authorized) != 0 {
		t.Error("auth was asked")
	}
	var form2 string
	for n := range a.root.Descendants() {
		if n.Data == "form" && attribute(n, "action") != "/sign-out" {
			form2 = attribute(n, "action")
		}
	}
	again, err := url.Parse(form2)
	if err != nil || again.Query().Get("state") != consentState {
		t.Errorf("the form leads to %q", form2)
	}
}

func TestOnlyOwnCVsCanBeShared(t *testing.T) {
	t.Parallel()
	for cv, want := range map[string]string{"cv_someone_elses": "That CV is no longer available.", "": "Choose the CV to share."} {
		v := atConsent(t)
		form := allow("cv:read")
		form.Set("cv", cv)
		a := v.post(consentPath, form)
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), want) || len(v.backend.authorized) != 0 {
			t.Errorf("%q: %d %s", cv, a.StatusCode, a.text())
		}
	}
}

func TestAPersonWithoutACVCanPromiseTheMainOne(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	v.backend.cvs = &candidatev1.ListOwnCvsResponse{Name: "Layla Haddad"}
	page := v.get(consentPath)
	if !strings.Contains(page.text(), "You don’t have a CV yet.") || page.byID("cvs-legend") != nil {
		t.Errorf("%s", page.text())
	}
	v.post(consentPath, allow("cv:read")).query(t)
	if got := v.backend.authorized[0].GetCvId(); got != "master" {
		t.Errorf("shares %q", got)
	}
}

func TestAPersonWithoutAProfileCanAllowNothing(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"en": "Your profile isn’t ready yet", "ar": "ملفك الشخصي ليس جاهزًا بعد"} {
		v := atConsent(t)
		v.lang = lang
		v.backend.cvs = &candidatev1.ListOwnCvsResponse{}
		for _, a := range []response{v.get(consentPath), v.post(consentPath, allow("cv:read"))} {
			if a.StatusCode != http.StatusConflict || !strings.Contains(a.text(), want) || a.byID("scope-profile") != nil {
				t.Errorf("%s: %d %s", lang, a.StatusCode, a.text())
			}
		}
		if len(v.backend.authorized) != 0 {
			t.Error("a code was made")
		}
		v.post(consentPath, url.Values{"decision": {"cancel"}}).query(t)
	}
}

func TestCancelTellsTheAppThatAccessWasDenied(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	got := v.post(consentPath, url.Values{"decision": {"cancel"}}).query(t)
	if got.Get("error") != "access_denied" || got.Get("state") != consentState || got.Get("iss") != baseURL || got.Get("lang") != "en" || got.Has("code") {
		t.Errorf("the app gets %v", got)
	}
	if len(v.backend.authorized) != 0 {
		t.Error("a code was made")
	}
}

func TestAFaultOfTheRequestGoesBackToTheAppBeforeAnyoneSignsIn(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.backend.fault = &authv1.AuthorizationFault{Error: "invalid_scope", Description: "The scope x is unknown."}
	got := v.get(consentPath).query(t)
	if got.Get("error") != "invalid_scope" || got.Get("error_description") != "The scope x is unknown." || got.Get("state") != consentState || got.Get("iss") != baseURL {
		t.Errorf("the app gets %v", got)
	}
}

func TestTheConsentPageMarksTheConsole(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	if page := v.get(consentPath); strings.Contains(page.text(), "Part of Vitae") {
		t.Error("any app is part of Vitae")
	}
	v.backend.ofVitae, v.backend.publisher = true, "Vitae"
	if page := v.get(consentPath); !strings.Contains(page.text(), "Part of Vitae") {
		t.Error(page.text())
	}
}

// Anybody can register an app, and no link to the pages may lead straight to its site.
func TestAFaultLeavesForAVerifiedAppAlone(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.backend.fault = &authv1.AuthorizationFault{Error: "invalid_scope", Description: "The scope x is unknown."}
	browser := func(r *http.Request) { r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8") }
	for _, path := range []string{consentPath, strings.Replace(consentPath, "/oauth/authorize", "/oauth/legacy/authorize", 1)} {
		v.backend.verified = false
		a := v.get(path, browser)
		link := ""
		for n := range a.root.Descendants() {
			if strings.HasPrefix(attribute(n, "href"), redirectURI) {
				link = attribute(n, "href") + textOf(n)
			}
		}
		if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" || !strings.Contains(a.text(), "The scope x is unknown.") ||
			!strings.Contains(link, "error=invalid_scope") || !strings.Contains(link, "state=") || !strings.Contains(link, "Go back to") {
			t.Errorf("%d to %q, link %q: %s", a.StatusCode, a.Header.Get("Location"), link, a.text())
		}
		v.backend.verified = true
		if got := v.get(path, browser).query(t); got.Get("error") != "invalid_scope" {
			t.Errorf("a verified app gets %v", got)
		}
	}
}

func TestAnUntrustedAppNeverGetsTheBrowser(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*visitor) string{
		"unknown client": func(v *visitor) string {
			v.backend.refuse = errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "x")
			return consentPath
		},
		"foreign redirect URI": func(*visitor) string {
			return "/oauth/authorize?client_id=svc_ci_1&redirect_uri=https%3A%2F%2Fevil.example"
		},
		"doubled redirect URI":  func(*visitor) string { return consentPath + "&redirect_uri=https%3A%2F%2Fevil.example" },
		"malformed query":       func(*visitor) string { return consentPath + "&%zz=1" },
		"redirect URI not text": func(*visitor) string { return "/oauth/authorize?client_id=svc_ci_1&redirect_uri=%ff" },
	} {
		v := atConsent(t)
		path := change(v)
		for _, a := range []response{v.get(path), v.post(path, allow("email")), v.post(path, url.Values{"decision": {"cancel"}})} {
			if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" || !strings.Contains(a.text(), "This app can’t be connected") {
				t.Errorf("%s: %d to %q: %s", name, a.StatusCode, a.Header.Get("Location"), a.text())
			}
		}
	}
}

func TestSignInComesBackToTheSameRequest(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	first := v.get(consentPath)
	form := v.get(first.Header.Get("Location"))
	var back string
	for n := range form.root.Descendants() {
		if attribute(n, "name") == "return" {
			back = attribute(n, "value")
		}
	}
	a := v.send(http.MethodPost, "/sign-in", url.Values{
		"csrf": {form.token()}, "email": {goodEmail}, "password": {goodPassword}, "return": {back},
	})
	if got := a.Header.Get("Location"); got != consentPath {
		t.Errorf("comes back to %q", got)
	}
}

func TestAnEndedSessionAtTheDecisionSignsInAndAsksAgain(t *testing.T) {
	t.Parallel()
	want := "/sign-in?" + url.Values{"return": {consentPath}}.Encode()
	v := atConsent(t)
	clear(v.backend.sessions)
	if a := v.post(consentPath, allow()); a.Header.Get("Location") != want || v.cookies["__Host-vitae_session"] != nil {
		t.Errorf("ended before: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	v = atConsent(t)
	v.backend.listFail = errs.New(errs.Unauthenticated, "SESSION_ENDED", "x")
	if a := v.get(consentPath); a.Header.Get("Location") != want {
		t.Errorf("ended before the form: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	v = atConsent(t)
	v.backend.authorizeFail = errs.New(errs.Unauthenticated, "SESSION_ENDED", "x")
	if a := v.post(consentPath, allow()); a.Header.Get("Location") != want {
		t.Errorf("ended meanwhile: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestAuthHasTheLastWordOnTheScopes(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	v.backend.authorizeFail = errs.New(errs.Invalid, "OAUTH_INVALID_SCOPE", "x")
	a := v.post(consentPath, allow("email"))
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), "This selection isn’t possible for Acme Jobs.") {
		t.Errorf("%d %s", a.StatusCode, a.text())
	}
}

func TestThePolicyOfConsentBoundsNoRedirect(t *testing.T) {
	t.Parallel()
	csp := atConsent(t).get(consentPath).Header.Get("Content-Security-Policy")
	if strings.Contains(csp, "form-action") || !strings.Contains(csp, "frame-ancestors 'none'") || !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "script-src") {
		t.Errorf("%s", csp)
	}
}

func TestNoAppCanBeConnectedWhileThePlatformIsOff(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	v.pages = newPages(t, v.backend, v.appURL, func(c *Config) { c.PlatformOn = false })
	if a := v.get(consentPath); a.StatusCode != http.StatusNotFound || !strings.Contains(a.text(), "Apps can’t be connected now") {
		t.Errorf("%d %s", a.StatusCode, a.text())
	}
	if a := v.post(consentPath, allow()); a.StatusCode != http.StatusNotFound || len(v.backend.authorized) != 0 {
		t.Errorf("%d", a.StatusCode)
	}
}

// (behaviour: sharing#texts-are-not-filtered).
func TestThePersonIsToldThatTextsOfTheCVAreShownAsWritten(t *testing.T) {
	t.Parallel()
	const told = "A phone number or address that you typed into the text is shared too."
	v := atConsent(t)
	if page := v.get(consentPath); !strings.Contains(page.text(), told) {
		t.Errorf("the page of an app that asks for the CV: %s", page.text())
	}
	without := "/oauth/authorize?client_id=svc_ci_1&scope=profile%20email&redirect_uri=" + url.QueryEscape(redirectURI)
	if page := v.get(without); page.StatusCode != http.StatusOK || strings.Contains(page.text(), told) {
		t.Errorf("the page of an app that does not: %s", page.text())
	}
}
