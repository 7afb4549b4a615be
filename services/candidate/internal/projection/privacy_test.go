package projection_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/canarytest"
	"vitae.internal/services/candidate/internal/projection"
)

// The permissions that may be needed to see a stored text.
const (
	always  = "always"
	cvOnly  = "cv:read"
	contact = "cv:contact"
	mail    = "email"
	// ownPage marks texts that only the public page shows.
	ownPage = "public page"
)

// needs maps the texts outside the CV to the permission that shows them. Other texts, including new fields,
// must never be shown.
var needs = map[string]string{
	"Person.ID": always, "Person.Name": always, "Person.Username": always, "Person.Headline": always, "Person.Locale": always,
	"Person.Email":     mail,
	"Person.AvatarURL": ownPage,

	"Person.Details.DateOfBirth": contact, "Person.Details.Gender": contact, "Person.Details.MaritalStatus": contact,
	"Person.Details.Nationality": contact, "Person.Details.Residence": contact, "Person.Details.VisaResidency": contact,
	"Person.Details.NationalService": contact, "Person.Details.Dependents": contact,
	"Person.Phone": contact, "Person.Address": contact,

	"Location": cvOnly, "Cv.ID": cvOnly, "Cv.Title": cvOnly, "Cv.Template": cvOnly,
}

// entryFields lists the fields of a CV's entries that cv:read shows. Stored and shared entries have the same
// type, so a new field must be classified here. Experiences.EndDate is missing because filled makes all
// positions current.
var entryFields = map[string]string{
	"Certifications": "CredentialUrl ExpirationDate Id IssueDate Issuer Name",
	"Educations":     "Degree Description EndDate FieldOfStudy Id School StartDate",
	"Experiences":    "Bullets Company EmploymentType Id Location LocationType Overview StartDate Title",
	"Highlights":     "Desc Id Title",
	"Projects":       "Description Id Image Link Technologies Title",
	"SkillGroups":    "Category Items",
}

// need returns the permission that shows a stored text. Texts of a CV need cv:read if the shared CV has a
// field with the same name.
func need(path string) string {
	name, ok := strings.CutPrefix(path, "Cv.Content.")
	if !ok {
		return needs[path]
	}
	section, field, ofEntry := strings.Cut(name, ".")
	_, shared := reflect.TypeFor[cvv1.CvDocument]().FieldByName(section)
	if !shared || ofEntry && !slices.Contains(strings.Fields(entryFields[section]), field) {
		return ""
	}
	return cvOnly
}

// canaryAt returns the canary for the field at path. It is a valid link. The trailing slash prevents a path from
// matching a longer one.
func canaryAt(path string) string { return "https://canary.example/" + path + "/" }

func filled() (projection.Source, []string) {
	var source projection.Source
	paths := canarytest.Fill(&source, canaryAt)
	return source, slices.Compact(slices.Sorted(slices.Values(paths)))
}

// shownIn returns the paths whose canaries appear in shown.
func shownIn(shown any, paths []string) (found []string) {
	text := deepText(shown)
	for _, path := range paths {
		if strings.Contains(text, canaryAt(path)) {
			found = append(found, path)
		}
	}
	return found
}

func granted(g projection.Grant) map[string]bool {
	has := func(scope string) bool { return slices.Contains(g.Scopes, scope) }
	return map[string]bool{
		always: true, cvOnly: has("cv:read"), contact: has("cv:read") && has("cv:contact"), mail: has("email"),
	}
}

func TestNothingPrivateIsShownUnlessGranted(t *testing.T) {
	scope := rapid.SampledFrom([]string{"profile", "email", "cv:read", "cv:contact", "jobs:read", "cv:*", ""})
	rapid.Check(t, func(t *rapid.T) {
		source, paths := filled()
		source.Person.Public = rapid.Bool().Draw(t, "public")
		source.Person.HasMainCv = rapid.Bool().Draw(t, "main CV")
		source.Person.EmailVerified = rapid.Bool().Draw(t, "verified")
		if rapid.Bool().Draw(t, "main") {
			source.Cv.ID = "master"
		}
		g := projection.Grant{Scopes: rapid.SliceOfN(scope, 0, 6).Draw(t, "scopes"), SharePhoto: rapid.Bool().Draw(t, "photo"), PhotoURL: photoURL}
		may := granted(g)

		shared, _ := pages.ShareCv(source, g)
		user := pages.ShareUser(source, g)
		if strings.Contains(deepText([]any{shared, user}), photoURL) != g.SharePhoto {
			t.Fatalf("the photo of %+v is %v", g, user.AvatarUrl)
		}
		for _, path := range shownIn([]any{shared, user}, paths) {
			if !may[need(path)] {
				t.Fatalf("%s is shown to %+v", path, g)
			}
			if path == "Person.Email" && !source.Person.EmailVerified {
				t.Fatal("an unverified email address is shown")
			}
		}
		if page, ok := pages.Publish(source); ok {
			for _, path := range shownIn(page, paths) {
				if n := need(path); path == "Person.ID" || n != always && n != cvOnly && n != ownPage {
					t.Fatalf("%s is on the public page", path)
				}
			}
		} else if source.Person.Public {
			t.Fatal("a public profile has no page")
		}
	})
}

// This test checks needs in the other direction: with every permission, everything listed must be shown.
func TestEverythingGrantedIsShown(t *testing.T) {
	source, paths := filled()
	g := projection.Grant{Scopes: []string{"profile", "email", "cv:read", "cv:contact"}, SharePhoto: true}
	shared, _ := pages.ShareCv(source, g)
	found := shownIn([]any{shared, pages.ShareUser(source, g)}, paths)

	// The full address would replace the locations.
	source.Person.Address = ""
	shared, _ = pages.ShareCv(source, g)
	found = append(found, shownIn(shared, paths)...)
	source.Cv.Content.Location = ""
	shared, _ = pages.ShareCv(source, g)
	found = append(found, shownIn(shared, paths)...)

	page, _ := pages.Publish(source)
	found = append(found, shownIn(page, paths)...)

	for path := range needs {
		if !slices.Contains(paths, path) {
			t.Errorf("%s is listed, but not stored", path)
		}
	}
	for _, path := range paths {
		if need(path) != "" && !slices.Contains(found, path) {
			t.Errorf("%s is not shown with every permission", path)
		}
	}
}

// deepText formats v with all nested values.
func deepText(v any) string {
	switch v := v.(type) {
	case []any:
		var all strings.Builder
		for _, item := range v {
			all.WriteString(deepText(item))
		}
		return all.String()
	case projection.SharedCv:
		return fmt.Sprint(v.SharedCv, v.Template)
	case projection.Public:
		text := fmt.Sprint(v.User)
		if v.Cv != nil {
			text += deepText(*v.Cv)
		}
		return text
	}
	return fmt.Sprint(v.(proto.Message))
}
