package consent_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// allowed returns a connection that allows everything that the tests request.
func allowed() *authv1.Connection {
	all := []string{"profile", "email", "cv:read", "cv:contact"}
	return &authv1.Connection{Scopes: all, GrantedScopes: all, CvGranted: true, CvSharing: true, CvId: "cv_2", CreatedAt: timestamppb.New(pagestest.Now)}
}

func TestReturningPersonOnlyPressesContinue(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][3]string{
		"en": {"Continue as Layla Haddad to Acme Jobs", "Review what is shared", "Cancel"},
		"ar": {"المتابعة باسم Layla Haddad إلى Acme Jobs", "مراجعة ما تشاركه", "إلغاء"},
	} {
		v := reconsent(t, allowed())
		v.Lang = lang
		page := v.Get(pagestest.ConsentPath)
		if page.Button("continue") != want[0] || page.Button("cancel") != want[2] || page.Button("allow") != "" || page.ByID("scope-email") != nil {
			t.Fatalf("%s: %q, %q, %s", lang, page.Button("continue"), page.Button("cancel"), page.Text())
		}
		if csp := page.Header.Get("Content-Security-Policy"); strings.Contains(csp, "form-action") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy is %s", lang, csp)
		}
		whole := v.Get(page.Link(want[1]))
		if whole.Button("allow") == "" || whole.ByID("scope-email") == nil || whole.Button("continue") != "" {
			t.Errorf("%s: link %q leads to %s", lang, page.Link(want[1]), whole.Text())
		}
		if got := v.Post(page.Link(want[1]), allow("email")).Query(t); got.Get("code") == "" || got.Get("state") != pagestest.ConsentState {
			t.Errorf("%s: the full page is for a different request: %v", lang, got)
		}
	}
}

func TestContinueKeepsWhatIsShared(t *testing.T) {
	t.Parallel()
	v := reconsent(t, allowed())
	form := allow("cv:contact", "email") // the content of the form is ignored
	form.Set("decision", "continue")
	form.Set("cv", "cv_3")
	form.Set("photo", "1")
	if got := v.Post(pagestest.ConsentPath, form).Query(t); got.Get("code") != "svc_ac_code+/=" || got.Get("state") != pagestest.ConsentState || got.Get("iss") != pagestest.BaseURL {
		t.Errorf("app receives %v", got)
	}
	req := v.Backend.Authorized[0]
	if !req.GetKeep() || req.GetCvId() != "" || req.GetSharePhoto() || req.GetSessionToken() == "" || req.GetParameters().GetState() != pagestest.ConsentState {
		t.Errorf("auth received %v", req)
	}
	if got := v.Post(pagestest.ConsentPath, url.Values{"decision": {"cancel"}}).Query(t); got.Get("error") != "access_denied" {
		t.Errorf("after Cancel, app receives %v", got)
	}
}

// allowingWith returns a modified copy of allowed().
func allowingWith(change func(*authv1.Connection)) *authv1.Connection {
	c := allowed()
	change(c)
	return c
}

func TestPersonIsAskedAgainOnlyAfterChange(t *testing.T) {
	t.Parallel()
	less := []string{"profile", "cv:read"}
	for name, c := range map[string]struct {
		live  *authv1.Connection
		path  string
		short bool
	}{
		"the same":       {allowed(), pagestest.ConsentPath, true},
		"narrower":       {allowed(), requestFor("profile email"), true},
		"one taken back": {allowingWith(func(c *authv1.Connection) { c.Scopes, c.WithheldScopes = less, []string{"email", "cv:contact"} }), pagestest.ConsentPath, true},
		"sharing off":    {allowingWith(func(c *authv1.Connection) { c.Scopes, c.CvSharing = []string{"profile"}, false }), pagestest.ConsentPath, true},
		"ends by itself": {allowingWith(func(c *authv1.Connection) { c.EndsAt = timestamppb.New(pagestest.Now) }), pagestest.ConsentPath, true},
		"declined": {allowingWith(func(c *authv1.Connection) {
			c.Scopes, c.GrantedScopes, c.DeclinedScopes = less, less, []string{"email", "cv:contact"}
		}), pagestest.ConsentPath, true},
		"CV declined": {allowingWith(func(c *authv1.Connection) {
			c.Scopes, c.GrantedScopes, c.DeclinedScopes, c.CvId = []string{"profile"}, []string{"profile"}, []string{"email", "cv:read", "cv:contact"}, ""
		}), pagestest.ConsentPath, true},
		"more":             {allowingWith(func(c *authv1.Connection) { c.Scopes, c.GrantedScopes = less, less }), pagestest.ConsentPath, false},
		"paused":           {allowingWith(func(c *authv1.Connection) { c.PausedAt = timestamppb.New(pagestest.Now) }), pagestest.ConsentPath, false},
		"the CV is gone":   {allowingWith(func(c *authv1.Connection) { c.CvId = "cv_deleted" }), pagestest.ConsentPath, false},
		"nothing in force": {allowingWith(func(c *authv1.Connection) { c.Scopes = []string{"profile"} }), requestFor("email"), false},
		"prompted":         {allowed(), pagestest.ConsentPath + "&prompt=login%20consent", false},
		"other prompt":     {allowed(), pagestest.ConsentPath + "&prompt=login", true},
		"of the older one": {allowingWith(func(c *authv1.Connection) { c.Legacy = true }), pagestest.ConsentPath, false},
	} {
		page := reconsent(t, c.live).Get(c.path)
		if got := page.Button("continue") != ""; got != c.short || got == (page.Button("allow") != "") {
			t.Errorf("%s: got the short page: %t: %s", name, got, page.Text())
		}
	}
	legacy := reconsent(t, &authv1.Connection{Scopes: []string{"profile:read"}, GrantedScopes: []string{"profile:read"}, Legacy: true})
	if page := legacy.Get(pagestest.LegacyPath); page.Button("continue") == "" {
		t.Errorf("on the legacy interface: %s", page.Text())
	}
}

func TestContinueShowsWhatStaysOff(t *testing.T) {
	t.Parallel()
	page := reconsent(t, allowingWith(func(c *authv1.Connection) {
		c.Scopes, c.WithheldScopes = []string{"profile", "cv:read"}, []string{"email", "cv:contact"}
	})).Get(pagestest.ConsentPath)
	for _, want := range []string{
		"Acme Jobs already sees Profile CV: Front-end, short", "it stays that way: Photo Email address Private contact details", pagestest.GoodEmail, "You’ll return to jobs.example.",
	} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("%q is missing: %s", want, page.Text())
		}
	}
}

// If the page was left open, Continue applies to what is allowed at the time when it is pressed.
func TestStaleContinuePageAsksAgain(t *testing.T) {
	t.Parallel()
	press := url.Values{"decision": {"continue"}}
	v := reconsent(t, allowed())
	v.Backend.Connections = v.Backend.Connections[:3]
	if a := v.Post(pagestest.ConsentPath, press); a.StatusCode != http.StatusOK || a.Button("allow") == "" || len(v.Backend.Authorized) != 0 {
		t.Errorf("after disconnecting: status %d %s", a.StatusCode, a.Text())
	}
	v = reconsent(t, allowed())
	v.Backend.AuthorizeFail = errs.New(errs.Precondition, "CONSENT_NEEDED", "x")
	if a := v.Post(pagestest.ConsentPath, press); a.StatusCode != http.StatusOK || a.Button("allow") == "" {
		t.Errorf("after a last-moment change: status %d %s", a.StatusCode, a.Text())
	}
	v = reconsent(t, allowed())
	v.Backend.CVs = &candidatev1.ListOwnCvsResponse{Name: "Layla Haddad"}
	if a := v.Post(pagestest.ConsentPath, press); a.Button("allow") == "" || len(v.Backend.Authorized) != 0 {
		t.Errorf("without the CV: status %d %s", a.StatusCode, a.Text())
	}
	v = reconsent(t, allowed())
	if a := v.Send(http.MethodPost, pagestest.ConsentPath, url.Values{"decision": {"continue"}}); a.StatusCode != http.StatusForbidden || len(v.Backend.Authorized) != 0 {
		t.Errorf("without a token: status %d", a.StatusCode)
	}
}
