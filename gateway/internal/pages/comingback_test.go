package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// allowed is a connection that allows everything that the consent page of the tests asks for.
func allowed() *authv1.Connection {
	all := []string{"profile", "email", "cv:read", "cv:contact"}
	return &authv1.Connection{Scopes: all, GrantedScopes: all, CvGranted: true, CvSharing: true, CvId: "cv_2", CreatedAt: timestamppb.New(now)}
}

// button is the name of the first button whose decision is the one named, "" for none.
func (a response) button(decision string) string {
	for n := range a.root.Descendants() {
		if n.Data == "button" && attribute(n, "value") == decision {
			return strings.Join(strings.Fields(textOf(n)), " ")
		}
	}
	return ""
}

// link is where the link with a text leads, "" for none.
func (a response) link(text string) string {
	for n := range a.root.Descendants() {
		if n.Data == "a" && strings.Join(strings.Fields(textOf(n)), " ") == text {
			return attribute(n, "href")
		}
	}
	return ""
}

func TestComingBackIsOneContinue(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][3]string{
		"en": {"Continue as Layla Haddad to Acme Jobs", "Review what is shared", "Cancel"},
		"ar": {"المتابعة باسم Layla Haddad إلى Acme Jobs", "مراجعة ما تشاركه", "إلغاء"},
	} {
		v := reconsent(t, allowed())
		v.lang = lang
		page := v.get(consentPath)
		wellFormed(t, page)
		if page.button("continue") != want[0] || page.button("cancel") != want[2] || page.button("allow") != "" || page.byID("scope-email") != nil {
			t.Fatalf("%s: %q, %q, %s", lang, page.button("continue"), page.button("cancel"), page.text())
		}
		if csp := page.Header.Get("Content-Security-Policy"); strings.Contains(csp, "form-action") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: the policy is %s", lang, csp)
		}
		whole := v.get(page.link(want[1]))
		if whole.button("allow") == "" || whole.byID("scope-email") == nil || whole.button("continue") != "" {
			t.Errorf("%s: %q leads to %s", lang, page.link(want[1]), whole.text())
		}
		if got := v.post(page.link(want[1]), allow("email")).query(t); got.Get("code") == "" || got.Get("state") != consentState {
			t.Errorf("%s: the whole page answers another request: %v", lang, got)
		}
	}
}

func TestContinueKeepsWhatIsShared(t *testing.T) {
	t.Parallel()
	v := reconsent(t, allowed())
	form := allow("cv:contact", "email") // what a form says counts for nothing
	form.Set("decision", "continue")
	form.Set("cv", "cv_3")
	form.Set("photo", "1")
	if got := v.post(consentPath, form).query(t); got.Get("code") != "svc_ac_code+/=" || got.Get("state") != consentState || got.Get("iss") != baseURL {
		t.Errorf("the app gets %v", got)
	}
	req := v.backend.authorized[0]
	if !req.GetKeep() || req.GetCvId() != "" || req.GetSharePhoto() || req.GetSessionToken() == "" || req.GetParameters().GetState() != consentState {
		t.Errorf("auth is told %v", req)
	}
	if got := v.post(consentPath, url.Values{"decision": {"cancel"}}).query(t); got.Get("error") != "access_denied" {
		t.Errorf("after Cancel the app gets %v", got)
	}
}

// allowingWith is allowed with a change.
func allowingWith(change func(*authv1.Connection)) *authv1.Connection {
	c := allowed()
	change(c)
	return c
}

func TestWhatIsNewOrLostIsAskedFor(t *testing.T) {
	t.Parallel()
	less := []string{"profile", "cv:read"}
	for name, c := range map[string]struct {
		live  *authv1.Connection
		path  string
		short bool
	}{
		"the same":       {allowed(), consentPath, true},
		"narrower":       {allowed(), asking("profile email"), true},
		"one taken back": {allowingWith(func(c *authv1.Connection) { c.Scopes, c.WithheldScopes = less, []string{"email", "cv:contact"} }), consentPath, true},
		"sharing off":    {allowingWith(func(c *authv1.Connection) { c.Scopes, c.CvSharing = []string{"profile"}, false }), consentPath, true},
		"ends by itself": {allowingWith(func(c *authv1.Connection) { c.EndsAt = timestamppb.New(now) }), consentPath, true},
		"declined": {allowingWith(func(c *authv1.Connection) {
			c.Scopes, c.GrantedScopes, c.DeclinedScopes = less, less, []string{"email", "cv:contact"}
		}), consentPath, true},
		"CV declined": {allowingWith(func(c *authv1.Connection) {
			c.Scopes, c.GrantedScopes, c.DeclinedScopes, c.CvId = []string{"profile"}, []string{"profile"}, []string{"email", "cv:read", "cv:contact"}, ""
		}), consentPath, true},
		"more":             {allowingWith(func(c *authv1.Connection) { c.Scopes, c.GrantedScopes = less, less }), consentPath, false},
		"paused":           {allowingWith(func(c *authv1.Connection) { c.PausedAt = timestamppb.New(now) }), consentPath, false},
		"the CV is gone":   {allowingWith(func(c *authv1.Connection) { c.CvId = "cv_deleted" }), consentPath, false},
		"nothing in force": {allowingWith(func(c *authv1.Connection) { c.Scopes = []string{"profile"} }), asking("email"), false},
		"prompted":         {allowed(), consentPath + "&prompt=login%20consent", false},
		"other prompt":     {allowed(), consentPath + "&prompt=login", true},
		"of the older one": {allowingWith(func(c *authv1.Connection) { c.Legacy = true }), consentPath, false},
	} {
		page := reconsent(t, c.live).get(c.path)
		if got := page.button("continue") != ""; got != c.short || got == (page.button("allow") != "") {
			t.Errorf("%s: short %t: %s", name, got, page.text())
		}
	}
	legacy := reconsent(t, &authv1.Connection{Scopes: []string{"profile:read"}, GrantedScopes: []string{"profile:read"}, Legacy: true})
	if page := legacy.get(legacyPath); page.button("continue") == "" {
		t.Errorf("at the older interface: %s", page.text())
	}
}

func TestTheShortPageSaysWhatStaysOff(t *testing.T) {
	t.Parallel()
	page := reconsent(t, allowingWith(func(c *authv1.Connection) {
		c.Scopes, c.WithheldScopes = []string{"profile", "cv:read"}, []string{"email", "cv:contact"}
	})).get(consentPath)
	for _, want := range []string{
		"Acme Jobs already sees Profile CV: Front-end, short", "it stays that way: Email address Private contact details", goodEmail, "You’ll return to jobs.example.",
	} {
		if !strings.Contains(page.text(), want) {
			t.Errorf("does not say %q: %s", want, page.text())
		}
	}
}

// A Continue that was left open counts for what is allowed when it is pressed.
func TestAStaleContinueAsksAgain(t *testing.T) {
	t.Parallel()
	press := url.Values{"decision": {"continue"}}
	v := reconsent(t, allowed())
	v.backend.connections = v.backend.connections[:3]
	if a := v.post(consentPath, press); a.StatusCode != http.StatusOK || a.button("allow") == "" || len(v.backend.authorized) != 0 {
		t.Errorf("disconnected: %d %s", a.StatusCode, a.text())
	}
	v = reconsent(t, allowed())
	v.backend.authorizeFail = errs.New(errs.Precondition, "CONSENT_NEEDED", "x")
	if a := v.post(consentPath, press); a.StatusCode != http.StatusOK || a.button("allow") == "" {
		t.Errorf("changed at the last moment: %d %s", a.StatusCode, a.text())
	}
	v = reconsent(t, allowed())
	v.backend.cvs = &candidatev1.ListOwnCvsResponse{Name: "Layla Haddad"}
	if a := v.post(consentPath, press); a.button("allow") == "" || len(v.backend.authorized) != 0 {
		t.Errorf("without the CV: %d %s", a.StatusCode, a.text())
	}
	v = reconsent(t, allowed())
	if a := v.send(http.MethodPost, consentPath, url.Values{"decision": {"continue"}}); a.StatusCode != http.StatusForbidden || len(v.backend.authorized) != 0 {
		t.Errorf("without a token: %d", a.StatusCode)
	}
}
