package consent_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// noCV returns a visitor without a CV on the consent page.
func noCV(t *testing.T) *pagestest.Visitor {
	t.Helper()
	v := pagestest.SignedIn(t)
	v.Backend.CVs = &candidatev1.ListOwnCvsResponse{Name: "Layla Haddad"}
	return v
}

// followLink follows the link from the consent page to the CVs.
func followLink(t *testing.T, v *pagestest.Visitor, path, link string) pagestest.Response {
	t.Helper()
	to := v.Get(path).Link(link)
	if a := v.Get(to); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/cvs" {
		t.Fatalf("%q leads to %d %q", to, a.StatusCode, a.Header.Get("Location"))
	}
	return v.Get("/cvs")
}

func TestCreatingCVLeadsBackToConsent(t *testing.T) {
	t.Parallel()
	for lang, link := range map[string][2]string{"en": {"Make or import a CV", "Back to Acme Jobs"}, "ar": {"إنشاء سيرة ذاتية أو استيرادها", "العودة إلى Acme Jobs"}} {
		for _, path := range []string{pagestest.ConsentPath, pagestest.LegacyPath} {
			v := noCV(t)
			v.Lang = lang
			followLink(t, v, path, link[0])
			for _, at := range []string{"/cvs", "/cvs/new", "/cvs/import", "/profile", "/", "/account"} {
				if got := v.Get(at).Link(link[1]); got != path {
					t.Errorf("%s: %s leads back to %q", lang, at, got)
				}
			}
			if v.Get(path).Link(link[1]) != "" {
				t.Errorf("%s: the consent page links to itself", lang)
			}
		}
	}
}

func TestDraftIsNamedIfThereIsNoCV(t *testing.T) {
	t.Parallel()
	for _, path := range []string{pagestest.ConsentPath, pagestest.LegacyPath} {
		v := noCV(t)
		const link = "Open it and press Save"
		if v.Get(path).Link(link) != "" || strings.Contains(v.Get("/cvs").Text(), "Unsaved changes") {
			t.Errorf("%s: a draft is named that does not exist", path)
		}
		v.Backend.Drafts["master"] = &candidatev1.Draft{Form: "name=Layla", Version: 1, Revision: 1}
		page := v.Get(path)
		if page.Link("Make or import a CV") == "" || !strings.Contains(page.Text(), "Your CV has unsaved changes.") {
			t.Errorf("%s: %s", path, page.Text())
		}
		if a := v.Get(page.Link(link)); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/profile" {
			t.Errorf("%s: the link leads to %d %s", path, a.StatusCode, a.Header.Get("Location"))
		}
		if got := v.Get("/profile").Link("Back to Acme Jobs"); got != path {
			t.Errorf("%s: the editor leads back to %q", path, got)
		}
		v.Backend.CVs = &candidatev1.ListOwnCvsResponse{Name: "Layla", Cvs: []*candidatev1.CvReference{{Id: "cv_2", Title: "Second"}, {Id: "cv_3", Title: "Third"}}}
		v.Backend.Drafts["cv_2"] = &candidatev1.Draft{Form: "title=Second", Version: 1, Revision: 2}
		if text := v.Get("/cvs").Text(); strings.Count(text, "Unsaved changes") != 2 || !strings.Contains(text, "Second Unsaved changes") {
			t.Errorf("the list of CVs does not name both drafts: %s", text)
		}
	}
}

func TestSavedCVReturnsToConsent(t *testing.T) {
	t.Parallel()
	full := url.Values{"title": {"For Acme"}, "name": {"Layla Haddad"}, "summary": {"Engineer"}, "version": {"2"}}
	v := noCV(t)
	followLink(t, v, pagestest.ConsentPath, "Make or import a CV")
	if page := v.Get("/profile"); !strings.Contains(page.Text(), "Save and go back to Acme Jobs") {
		t.Errorf("the Save button does not say where it leads: %s", page.Text())
	}
	if a := v.Post("/profile", url.Values{"name": {"Layla Haddad"}, "version": {"1"}}); strings.HasPrefix(a.Header.Get("Location"), "/oauth/") {
		t.Errorf("a CV with only a name leads to %s", a.Header.Get("Location"))
	}
	if a := v.Post("/cvs/new", url.Values{"title": {"Empty"}}); strings.HasPrefix(a.Header.Get("Location"), "/oauth/") {
		t.Errorf("an empty CV leads to %s", a.Header.Get("Location"))
	}
	v.Backend.CVs.Cvs = []*candidatev1.CvReference{{Id: "cv_2", Title: "For Acme"}}
	for _, save := range []string{"/cvs/new", "/profile"} {
		if a := v.Post(save, full); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != pagestest.ConsentPath {
			t.Errorf("%s leads to %d %s", save, a.StatusCode, a.Header.Get("Location"))
		}
	}
	full.Set("version", "3")
	full.Set("publish", "on")
	byScript := func(r *http.Request) { r.Header.Set("Accept", "application/json") }
	if a := v.Post("/profile", full, byScript); !strings.Contains(a.Body, `"next":"/oauth/authorize?`) {
		t.Errorf("a script receives %s", a.Body)
	}
	form := allow("cv:read")
	form.Set("cv", "cv_2")
	v.Post(pagestest.ConsentPath, form).Query(t)
	if a := v.Post("/cvs/new", full); !strings.HasPrefix(a.Header.Get("Location"), "/cvs/") || v.Get("/cvs").Link("Back to Acme Jobs") != "" {
		t.Errorf("the consent page is still remembered after the decision: %s", a.Header.Get("Location"))
	}
}

func TestOnlyConsentPageIsRemembered(t *testing.T) {
	t.Parallel()
	waits := func(v *pagestest.Visitor) bool { return v.Get("/cvs").Link("Back to Acme Jobs") != "" }
	for name, back := range map[string]string{
		"another site": "https://evil.example/oauth/authorize", "its host alone": "//evil.example/oauth/authorize", "no consent": "/account",
		"a path that only begins so": "/oauth/authorize/../../x", "another client's address": "/oauth/authorize?client_id=svc_ci_1&redirect_uri=https://evil.example",
		"too long": pagestest.ConsentPath + "&x=" + strings.Repeat("x", 3000),
	} {
		v := noCV(t)
		v.Get("/cvs?" + url.Values{"return": {back}}.Encode())
		if waits(v) {
			t.Errorf("%s is remembered", name)
		}
	}
	v := noCV(t)
	from := "/cvs?" + url.Values{"return": {pagestest.ConsentPath}}.Encode()
	v.Get(from, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") })
	if waits(v) {
		t.Error("a link from a different site is remembered")
	}
	v.Get(from, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") })
	if !waits(v) {
		t.Error("the link from the consent page is not remembered")
	}
	v.Post("/sign-out", url.Values{})
	v.SignIn()
	if waits(v) {
		t.Error("the page is remembered for the next person in this browser")
	}
}

func TestPagesLinkToCVsIfThereIsNone(t *testing.T) {
	t.Parallel()
	v := noCV(t)
	v.Backend.Documents = nil
	for _, path := range []string{"/", "/connections", "/documents"} {
		if got := v.Get(path).Link("Make or import a CV"); got != "/cvs" {
			t.Errorf("%s leads to %q: %s", path, got, v.Get(path).Text())
		}
	}
}
