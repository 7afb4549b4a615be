package consent_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/pages/pagestest"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// pressPreview presses the button that shows what the app would read.
func pressPreview(v *pagestest.Visitor, selection url.Values) pagestest.Response {
	selection.Set("decision", "preview")
	return v.Post(pagestest.ConsentPath, selection)
}

func TestDataPreviewGrantsNothing(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ShownBody = map[string]string{
		"/v1/me": `{"data":{"name":"Layla Haddad","username":"layla","headline":null,"locale":"ar","profileUrl":null,"email":"layla@example.com"}}`,
		"/v1/me/cv": `{"data":{"title":"Front-end, short","isMainCv":false,"language":"en","document":{"summary":"<b>Builds</b>","bio":null,"location":"Sharjah",
			"socials":{"phone":"+971 50 000 0000","github":"https://github.example/layla"},"skills":["Go","HTML"],"languages":[],"highlights":[],
			"experiences":[{"title":"Developer","company":"Noor"}],"educations":[{"school":"Sharjah"}],"certifications":[],"projects":[]},
			"personalDetails":{"nationality":"Emirati","gender":null,"dateOfBirth":"1990-05-17"}}}`,
	}
	a := pressPreview(v, url.Values{"scope": {"email", "cv:read", "cv:contact"}, "cv": {"cv_2"}, "photo": {"1"}})
	if a.StatusCode != http.StatusOK || len(v.Backend.Authorized) != 0 {
		t.Fatalf("status %d, %d grants: %s", a.StatusCode, len(v.Backend.Authorized), a.Text())
	}
	reads := pagestest.TextOf(a.ByID("reads"))
	for _, want := range []string{
		"NameLayla Haddad", "Usernamelayla", "Languageالعربية", "Email addresslayla@example.com", "CVFront-end, short", "Profile <b>Builds</b>", "Phone+971 50 000 0000",
		"NationalityEmirati", "AddressSharjah", "Date of birth17 May 1990", "Experience Developer Noor", "Skills GoHTML", "Links GitHub", "PhotoYour profile photo",
	} {
		if !strings.Contains(strings.Join(strings.Fields(reads), " "), want) {
			t.Errorf("%q is missing in %s", want, reads)
		}
	}
	for _, absent := range []string{"Headline", "Gender", "Projects"} {
		if strings.Contains(reads, absent) {
			t.Errorf("%s is shown empty: %s", absent, reads)
		}
	}
	for id, want := range map[string]bool{"scope-email": true, "scope-contact": true, "photo": true, "cv-1": true, "cv-0": false} {
		if pagestest.Has(a.ByID(id), "checked") != want {
			t.Errorf("the selection of %s is lost", id)
		}
	}
	p := v.Backend.ShownFor
	if p.GetPersonId() != "usr_1" || p.GetCvId() != "cv_2" || !p.GetSharePhoto() || p.GetConnectionId() != "" ||
		strings.Join(p.GetScopes(), " ") != "profile email cv:read cv:contact" {
		t.Errorf("requested %v", p)
	}
}

// hidden maps the fields of a shared CV that the preview does not show to the reason for each.
var hidden = map[protoreflect.FullName]string{
	"vitae.cv.v1.SharedCv.id":              "of use to programs only",
	"vitae.cv.v1.Highlight.id":             "of use to programs only",
	"vitae.cv.v1.Experience.id":            "of use to programs only",
	"vitae.cv.v1.Education.id":             "of use to programs only",
	"vitae.cv.v1.Certification.id":         "of use to programs only",
	"vitae.cv.v1.Project.id":               "of use to programs only",
	"vitae.cv.v1.SharedCv.updated_at":      "of use to programs only",
	"vitae.cv.v1.SharedCv.is_main_cv":      "replaces the title",
	"vitae.cv.v1.SharedCv.language":        "the language in which it is shown",
	"vitae.cv.v1.SharedCv.pdf":             "has the content of the CV",
	"vitae.cv.v1.Experience.current":       "replaces the end",
	"vitae.cv.v1.CvDocument.public_cv_url": "leads to what is shown",
	"vitae.cv.v1.CvDocument.avatar_url":    "shown as a photo that the app sees",
}

// fill sets every field of a message, using unique markers as strings, and returns the fields by
// marker.
func fill(m protoreflect.Message, markers map[string]protoreflect.FullName) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		marker := func() protoreflect.Value {
			text := fmt.Sprintf("Q%dQ", len(markers))
			if strings.HasSuffix(string(field.Name()), "_url") || field.Name() == "link" || field.Name() == "image" {
				text = "https://example.com/" + text
			}
			markers[text] = field.FullName()
			return protoreflect.ValueOfString(text)
		}
		_, skip := hidden[field.FullName()]
		switch {
		case skip:
		case field.IsMap():
			m.Mutable(field).Map().Set(protoreflect.ValueOfString("github").MapKey(), marker())
			m.Mutable(field).Map().Set(protoreflect.ValueOfString("phone").MapKey(), marker())
		case field.IsList() && field.Message() != nil:
			fill(m.Mutable(field).List().AppendMutable().Message(), markers)
		case field.IsList():
			m.Mutable(field).List().Append(marker())
		case field.Message() != nil && field.Message().FullName() == "google.protobuf.StringValue":
			m.Set(field, protoreflect.ValueOfMessage(wrapperspb.String(marker().String()).ProtoReflect()))
		case field.Message() != nil:
			fill(m.Mutable(field).Message(), markers)
		case field.Kind() == protoreflect.BoolKind:
			m.Set(field, protoreflect.ValueOfBool(true))
		default:
			m.Set(field, marker())
		}
	}
}

func TestDataPreviewShowsEveryField(t *testing.T) {
	t.Parallel()
	cv, markers := new(cvv1.SharedCv), map[string]protoreflect.FullName{}
	fill(cv.ProtoReflect(), markers)
	cv.Language = "en"
	raw, err := protojson.Marshal(cv)
	if err != nil {
		t.Fatal(err)
	}
	v := pagestest.SignedIn(t)
	v.Backend.ShownBody = map[string]string{"/v1/me": `{"data":{}}`, "/v1/me/cv": `{"data":` + string(raw) + `}`}
	a := pressPreview(v, url.Values{"scope": {"email", "cv:read", "cv:contact"}, "cv": {"cv_2"}})
	for marker, field := range markers {
		if !strings.Contains(a.Body, marker) {
			t.Errorf("%s is not shown", field)
		}
	}
	for _, want := range []string{"Identity verified with UAE Pass", "Open to work"} {
		if !strings.Contains(pagestest.TextOf(a.ByID("reads")), want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestDataPreviewReadsOnlySelection(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ShownBody = map[string]string{"/v1/me": `{"data":{"name":"Layla Haddad"}}`, "/v1/me/cv": `{"data":{"title":"Secret"}}`}
	a := pressPreview(v, url.Values{"cv": {"cv_2"}})
	if reads := pagestest.TextOf(a.ByID("reads")); !strings.Contains(reads, "Layla Haddad") || strings.Contains(reads, "Secret") || strings.Contains(reads, "Photo") {
		t.Errorf("%s", reads)
	}
	if got := strings.Join(v.Backend.ShownFor.GetScopes(), " "); got != "profile" {
		t.Errorf("requested with %q", got)
	}
	// A scope that the app has not requested must not be previewed, whatever the form contains.
	form := url.Values{"scope": {"email", "cv:read"}, "cv": {"cv_2"}, "decision": {"preview"}}
	if a = v.Post(requestFor("profile"), form); strings.Contains(a.Text(), "Secret") {
		t.Errorf("page is %s", a.Text())
	}
}

func TestInvalidSelectionHasNoDataPreview(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	a := pressPreview(v, url.Values{"scope": {"cv:read"}, "cv": {"cv_of_somebody"}})
	if a.StatusCode != http.StatusUnprocessableEntity || a.ByID("reads") != nil || !strings.Contains(a.Text(), "That CV is no longer available") {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
	}
}

func TestFailedDataPreviewReportsError(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ShownStatus = http.StatusInternalServerError
	if a := pressPreview(v, url.Values{"cv": {"cv_2"}}); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
	}
}

func TestLegacyPageHasDataPreview(t *testing.T) {
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
			t.Errorf("%q is missing in %s", want, reads)
		}
	}
	if got := v.Backend.ShownFor; got.GetKind() != identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN || len(v.Backend.Authorized) != 0 {
		t.Errorf("requested %v, %d grants", got, len(v.Backend.Authorized))
	}
}
