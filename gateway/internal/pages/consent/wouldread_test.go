package consent_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// looking presses the button that shows what the app would read.
func looking(v *pagestest.Visitor, selection url.Values) pagestest.Response {
	selection.Set("decision", "preview")
	return v.Post(pagestest.ConsentPath, selection)
}

func TestDataPreviewGrantsNothing(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ShownBody = map[string]string{
		"/v1/me": `{"data":{"name":"Layla Haddad","username":"layla","headline":null,"locale":"ar","profileUrl":null,"email":"layla@example.com"}}`,
		"/v1/me/cv": `{"data":{"title":"Front-end, short","isMainCv":false,"document":{"summary":"<b>Builds</b>","bio":null,"location":"Sharjah",
			"socials":{"phone":"+971 50 000 0000","github":"https://github.example/layla"},"skills":["Go","HTML"],"languages":[],"highlights":[],
			"experiences":[{"title":"Developer","company":"Noor"}],"educations":[{"school":"Sharjah"}],"certifications":[],"projects":[]},
			"personalDetails":{"nationality":"Emirati","gender":null}}}`,
	}
	a := looking(v, url.Values{"scope": {"email", "cv:read", "cv:contact"}, "cv": {"cv_2"}, "photo": {"1"}})
	if a.StatusCode != http.StatusOK || len(v.Backend.Authorized) != 0 {
		t.Fatalf("%d, %d grants: %s", a.StatusCode, len(v.Backend.Authorized), a.Text())
	}
	reads := pagestest.TextOf(a.ByID("reads"))
	for _, want := range []string{
		"NameLayla Haddad", "Usernamelayla", "Languageالعربية", "Email addresslayla@example.com", "CVFront-end, short", "Profile<b>Builds</b>", "Phone+971 50 000 0000",
		"NationalityEmirati", "ExperienceDeveloper · Noor", "SkillsGo · HTML", "Linkshttps://github.example/layla", "PhotoYour profile photo",
	} {
		if !strings.Contains(reads, want) {
			t.Errorf("%q is not in %s", want, reads)
		}
	}
	for _, absent := range []string{"Headline", "Gender", "Projects"} {
		if strings.Contains(reads, absent) {
			t.Errorf("%s is shown empty: %s", absent, reads)
		}
	}
	for id, want := range map[string]bool{"scope-email": true, "scope-contact": true, "photo": true, "cv-1": true, "cv-0": false} {
		if pagestest.Has(a.ByID(id), "checked") != want {
			t.Errorf("the selection is lost at %s", id)
		}
	}
	p := v.Backend.ShownFor
	if p.GetPersonId() != "usr_1" || p.GetCvId() != "cv_2" || !p.GetSharePhoto() || p.GetConnectionId() != "" ||
		strings.Join(p.GetScopes(), " ") != "profile email cv:read cv:contact" {
		t.Errorf("asked for %v", p)
	}
}

func TestDataPreviewReadsOnlyTheSelection(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ShownBody = map[string]string{"/v1/me": `{"data":{"name":"Layla Haddad"}}`, "/v1/me/cv": `{"data":{"title":"Secret"}}`}
	a := looking(v, url.Values{"cv": {"cv_2"}})
	if reads := pagestest.TextOf(a.ByID("reads")); !strings.Contains(reads, "Layla Haddad") || strings.Contains(reads, "Secret") || strings.Contains(reads, "Photo") {
		t.Errorf("%s", reads)
	}
	if got := strings.Join(v.Backend.ShownFor.GetScopes(), " "); got != "profile" {
		t.Errorf("asked with %q", got)
	}
	// A scope that the app has not asked for is not looked at, whatever the form says.
	form := url.Values{"scope": {"email", "cv:read"}, "cv": {"cv_2"}, "decision": {"preview"}}
	if a = v.Post(asking("profile"), form); strings.Contains(a.Text(), "Secret") {
		t.Errorf("%s", a.Text())
	}
}

func TestDataPreviewOfAnInvalidSelection(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	a := looking(v, url.Values{"scope": {"cv:read"}, "cv": {"cv_of_somebody"}})
	if a.StatusCode != http.StatusUnprocessableEntity || a.ByID("reads") != nil || !strings.Contains(a.Text(), "That CV is no longer available") {
		t.Errorf("%d %s", a.StatusCode, a.Text())
	}
}

func TestFailedDataPreviewIsNotEmpty(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ShownStatus = http.StatusInternalServerError
	if a := looking(v, url.Values{"cv": {"cv_2"}}); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d %s", a.StatusCode, a.Text())
	}
}

func TestLegacyDataPreview(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ShownBody = map[string]string{"/api/oauth/profile": `{"success":true,"data":{"name":"Layla Haddad","email":"layla@example.com","phoneNumber":"+971 50 000 0000",
		"skills":["Go"],"experience":[{"title":"Developer","company":"Noor"}],"education":[{"institution":"Sharjah"}],"socialLinks":{"github":"https://github.example/layla"}}}`}
	a := v.Post(pagestest.LegacyPath, url.Values{"decision": {"preview"}})
	reads := pagestest.TextOf(a.ByID("reads"))
	for _, want := range []string{
		"NameLayla Haddad", "Email addresslayla@example.com", "Phone+971 50 000 0000", "SkillsGo", "ExperienceDeveloper · Noor", "EducationSharjah", "Linkshttps://github.example/layla",
	} {
		if !strings.Contains(reads, want) {
			t.Errorf("%q is not in %s", want, reads)
		}
	}
	if got := v.Backend.ShownFor; got.GetKind() != identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN || len(v.Backend.Authorized) != 0 {
		t.Errorf("asked for %v, %d grants", got, len(v.Backend.Authorized))
	}
}
