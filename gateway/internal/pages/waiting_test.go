package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// noCV is a person without a CV at the consent page.
func noCV(t *testing.T) *visitor {
	t.Helper()
	v := atConsent(t)
	v.backend.cvs = &candidatev1.ListOwnCvsResponse{Name: "Layla Haddad"}
	return v
}

// leave follows the link of the consent page to the CVs.
func (v *visitor) leave(path, link string) response {
	v.t.Helper()
	to := v.get(path).link(link)
	if a := v.get(to); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/cvs" {
		v.t.Fatalf("%q leads to %d %q", to, a.StatusCode, a.Header.Get("Location"))
	}
	return v.get("/cvs")
}

func TestMakingACVLeadsBackToTheConsent(t *testing.T) {
	t.Parallel()
	for lang, link := range map[string][2]string{"en": {"Make or import a CV", "Back to Acme Jobs"}, "ar": {"إنشاء سيرة ذاتية أو استيرادها", "العودة إلى Acme Jobs"}} {
		for _, path := range []string{consentPath, legacyPath} {
			v := noCV(t)
			v.lang = lang
			page := v.leave(path, link[0])
			wellFormed(t, page)
			for _, at := range []string{"/cvs", "/cvs/new", "/cvs/import", "/profile", "/", "/account"} {
				if got := v.get(at).link(link[1]); got != path {
					t.Errorf("%s: %s leads back to %q", lang, at, got)
				}
			}
			if v.get(path).link(link[1]) != "" {
				t.Errorf("%s: the consent page leads to itself", lang)
			}
		}
	}
}

func TestADraftIsNamedWhereACVIsMissing(t *testing.T) {
	t.Parallel()
	for _, path := range []string{consentPath, legacyPath} {
		v := noCV(t)
		const link = "Open it and press Save"
		if v.get(path).link(link) != "" || strings.Contains(v.get("/cvs").text(), "Unsaved changes") {
			t.Errorf("%s: a draft is named that is not there", path)
		}
		v.backend.drafts[mainCV] = &candidatev1.Draft{Form: "name=Layla", Version: 1, Revision: 1}
		page := v.get(path)
		wellFormed(t, page)
		if page.link("Make or import a CV") == "" || !strings.Contains(page.text(), "Your CV has unsaved changes.") {
			t.Errorf("%s: %s", path, page.text())
		}
		if a := v.get(page.link(link)); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/profile" {
			t.Errorf("%s: the link leads to %d %s", path, a.StatusCode, a.Header.Get("Location"))
		}
		if got := v.get("/profile").link("Back to Acme Jobs"); got != path {
			t.Errorf("%s: the editor leads back to %q", path, got)
		}
		v.backend.cvs = &candidatev1.ListOwnCvsResponse{Name: "Layla", Cvs: []*candidatev1.CvReference{{Id: "cv_2", Title: "Second"}, {Id: "cv_3", Title: "Third"}}}
		v.backend.drafts["cv_2"] = &candidatev1.Draft{Form: "title=Second", Version: 1, Revision: 2}
		if text := v.get("/cvs").text(); strings.Count(text, "Unsaved changes") != 2 || !strings.Contains(text, "Second Unsaved changes") {
			t.Errorf("the list of CVs does not name both drafts: %s", text)
		}
	}
}

func TestASavedCVReturnsToTheConsent(t *testing.T) {
	t.Parallel()
	full := url.Values{"title": {"For Acme"}, "name": {"Layla Haddad"}, "summary": {"Engineer"}, "version": {"2"}}
	v := noCV(t)
	v.leave(consentPath, "Make or import a CV")
	if page := v.get("/profile"); !strings.Contains(page.text(), "Save and go back to Acme Jobs") {
		t.Errorf("Save does not say where it leads: %s", page.text())
	}
	if a := v.post("/profile", url.Values{"name": {"Layla Haddad"}, "version": {"1"}}); strings.HasPrefix(a.Header.Get("Location"), "/oauth/") {
		t.Errorf("a name alone leads to %s", a.Header.Get("Location"))
	}
	if a := v.post("/cvs/new", url.Values{"title": {"Empty"}}); strings.HasPrefix(a.Header.Get("Location"), "/oauth/") {
		t.Errorf("an empty CV leads to %s", a.Header.Get("Location"))
	}
	v.backend.cvs.Cvs = []*candidatev1.CvReference{{Id: "cv_2", Title: "For Acme"}}
	for _, save := range []string{"/cvs/new", "/profile"} {
		if a := v.post(save, full); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != consentPath {
			t.Errorf("%s leads to %d %s", save, a.StatusCode, a.Header.Get("Location"))
		}
	}
	full.Set("version", "3")
	full.Set("publish", "on")
	byScript := func(r *http.Request) { r.Header.Set("Accept", "application/json") }
	if a := v.post("/profile", full, byScript); !strings.Contains(a.body, `"next":"/oauth/authorize?`) {
		t.Errorf("a script is told %s", a.body)
	}
	form := allow("cv:read")
	form.Set("cv", "cv_2")
	v.post(consentPath, form).query(t)
	if a := v.post("/cvs/new", full); !strings.HasPrefix(a.Header.Get("Location"), "/cvs/") || v.get("/cvs").link("Back to Acme Jobs") != "" {
		t.Errorf("after the decision it still waits: %s", a.Header.Get("Location"))
	}
}

func TestNothingElseWaitsForACV(t *testing.T) {
	t.Parallel()
	waits := func(v *visitor) bool { return v.get("/cvs").link("Back to Acme Jobs") != "" }
	for name, back := range map[string]string{
		"another site": "https://evil.example/oauth/authorize", "its host alone": "//evil.example/oauth/authorize", "no consent": "/account",
		"a path that only begins so": "/oauth/authorize/../../x", "another client's address": "/oauth/authorize?client_id=svc_ci_1&redirect_uri=https://evil.example",
		"too long": consentPath + "&x=" + strings.Repeat("x", 3000),
	} {
		v := noCV(t)
		v.get("/cvs?" + url.Values{"return": {back}}.Encode())
		if waits(v) {
			t.Errorf("%s waits", name)
		}
	}
	v := noCV(t)
	from := "/cvs?" + url.Values{"return": {consentPath}}.Encode()
	v.get(from, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") })
	if waits(v) {
		t.Error("a link of another site is kept")
	}
	v.get(from, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") })
	if !waits(v) {
		t.Error("the link of the consent page is not kept")
	}
	v.post("/sign-out", url.Values{})
	v.signIn()
	if waits(v) {
		t.Error("it waits for the next person at this browser")
	}
}

func TestWithoutACVEveryPageLeadsToOne(t *testing.T) {
	t.Parallel()
	v := noCV(t)
	v.backend.documents = nil
	for _, path := range []string{"/", "/connections", "/documents"} {
		if got := v.get(path).link("Make or import a CV"); got != "/cvs" {
			t.Errorf("%s leads to %q: %s", path, got, v.get(path).text())
		}
	}
}
