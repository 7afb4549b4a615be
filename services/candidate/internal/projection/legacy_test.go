package projection_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"vitae.internal/pkg/scope"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
)

// older is a consent at the legacy interface.
var older = projection.Grant{Scopes: []string{scope.ProfileRead}, SharePhoto: true, PdfURL: pdfURL, PhotoURL: photoURL}

// legacyShows lists the stored texts that the legacy interface shows. Others, such as new
// fields, must never be shown. Dates are shown in addition to the years from them.
var legacyShows = []string{
	"Person.Name", "Person.Headline", "Person.Email", "Person.Phone", "Location", "Socials",
	"Cv.Content.Skills", "Cv.Content.SkillGroups.Items", "Cv.Content.Languages",
	"Cv.Content.Experiences.Title", "Cv.Content.Experiences.Company", "Cv.Content.Experiences.Location",
	"Cv.Content.Experiences.StartDate", "Cv.Content.Experiences.Overview", "Cv.Content.Experiences.Bullets",
	"Cv.Content.Educations.School", "Cv.Content.Educations.Degree", "Cv.Content.Educations.FieldOfStudy",
	"Cv.Content.Certifications.Name", "Cv.Content.Certifications.Issuer",
}

func TestLegacyShowsOnlySpecifiedFields(t *testing.T) {
	source, paths := filled()
	shown := shownIn(projection.ShareLegacy(source, older), paths)
	slices.Sort(shown)
	if want := slices.Sorted(slices.Values(legacyShows)); !slices.Equal(shown, want) {
		t.Errorf("shown:\n%q\nwant\n%q", shown, want)
	}
	source.Person.EmailVerified = false
	if got := projection.ShareLegacy(source, older); got.Email != "" {
		t.Error("an unverified email address is shown")
	}
	withoutPhoto := older
	withoutPhoto.SharePhoto = false
	if got := projection.ShareLegacy(source, withoutPhoto); got.ProfilePicture != "" {
		t.Error("an unshared photo is shown")
	}
}

func TestConsentsAreSeparatePerInterface(t *testing.T) {
	source, paths := filled()
	shared, ok := pages.ShareCv(source, older)
	user := pages.ShareUser(source, older)
	for _, path := range shownIn([]any{shared, user}, paths) {
		if needs[path] != always {
			t.Errorf("%s is shown to a consent of the legacy interface", path)
		}
	}
	if ok || user.Cv != nil {
		t.Error("a consent at the legacy interface can read a shared CV")
	}
	modern := projection.Grant{Scopes: []string{"profile", "email", "cv:read", "cv:contact"}, PdfURL: pdfURL}
	for _, path := range shownIn(projection.ShareLegacy(source, modern), paths) {
		if needs[path] != always {
			t.Errorf("the legacy interface shows %s to a consent of the other interface", path)
		}
	}
}

func TestLegacyLinkHidesPrivateDetails(t *testing.T) {
	source, paths := filled()
	link := projection.Grant{Scopes: []string{"profile", "email", "cv:read", scope.ProfileRead}, SharePhoto: true, PdfURL: pdfURL, PhotoURL: photoURL}
	shared, ok := pages.ShareCv(source, link)
	shown := shownIn(shared, paths)
	for _, path := range shown {
		if needs[path] == contact && path != "Person.Phone" {
			t.Errorf("%s is shown", path)
		}
	}
	for _, path := range []string{"Person.Phone", "Person.Email", "Cv.Content.Summary"} {
		if !ok || !slices.Contains(shown, path) {
			t.Errorf("%s is not shown", path)
		}
	}
	if shared.Document.AvatarURL != photoURL {
		t.Errorf("the photo is %q", shared.Document.AvatarURL)
	}
	if shared.PersonalDetails != nil {
		t.Error("personal details are shown")
	}
}

func TestLegacyOmitsEmptyFields(t *testing.T) {
	empty := projection.Source{Person: profile.Person{Name: "Sara", Phone: " ", Headline: "\t", AvatarURL: " "}, Location: " "}
	for name, tc := range map[string]struct {
		change func(*projection.Source)
		want   projection.LegacyProfile
	}{
		"a name alone": {func(*projection.Source) {}, projection.LegacyProfile{Name: "Sara"}},
		"what makes no CV": {func(s *projection.Source) {
			s.Location, s.Socials = city, map[string]string{"GitHub ": "https://github.com/sara", "x": "https://x.com/sara"}
		}, projection.LegacyProfile{Name: "Sara", Location: city, Socials: projection.LegacySocials{GitHub: "https://github.com/sara"}}},
		"blank parts of a CV": {func(s *projection.Source) {
			s.Cv = &projection.Cv{ID: "master", Content: cv.Content{
				Languages: []string{" "}, Skills: []string{" "},
				Experiences:    []cv.Experience{{Title: "Engineer", Company: "Acme", Location: " ", Overview: "\n", Bullets: []string{" "}}},
				Educations:     []cv.Education{{School: "School", Degree: " ", FieldOfStudy: " "}},
				Certifications: []cv.Certification{{Name: "Name", Issuer: "Issuer"}},
			}}
		}, projection.LegacyProfile{
			Name: "Sara", CvURL: pdfURL,
			Experience:     []projection.LegacyExperience{{Title: "Engineer", Company: "Acme"}},
			Education:      []projection.LegacyEducation{{Institution: "School"}},
			Certifications: []projection.LegacyCertification{{Name: "Name", Issuer: "Issuer"}},
		}},
	} {
		source := empty
		tc.change(&source)
		if got := projection.ShareLegacy(source, older); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, tc.want)
		}
	}
}

func TestLegacyExperienceOrderAndYears(t *testing.T) {
	source := situation{cv: "master", stored: true, verified: true}.source()
	source.Cv.Content.Experiences = []cv.Experience{
		{Title: "First", StartDate: "2010", EndDate: "2012-05"},
		{Title: "Now", StartDate: "2020-01-15", EndDate: "2021", Current: true, Overview: "Leads.", Bullets: []string{"Did this", "Did that"}},
	}
	source.Cv.Content.Educations = []cv.Education{
		{School: "Old", EndDate: "2004-06-30"}, {School: "Late", EndDate: "2012"}, {School: "Open", StartDate: "2005"},
	}
	source.Cv.Content.Certifications = []cv.Certification{{Name: "n", Issuer: "i", IssueDate: "2019-03", ExpirationDate: "2029"}}
	source.Cv.Content.SkillGroups = []cv.SkillGroup{{Category: "Data", Items: []string{"SQL", "go"}}}
	source.Cv.Content.Skills = []string{"Go"}
	got := projection.ShareLegacy(source, older)
	for what, pair := range map[string][2]any{
		"experience": {got.Experience, []projection.LegacyExperience{
			{Title: "Now", StartDate: "2020-01-15", Current: true, Description: "Leads.\nDid this\nDid that"},
			{Title: "First", StartDate: "2010", EndDate: "2012-05"},
		}},
		"education": {got.Education, []projection.LegacyEducation{
			{Institution: "Late", GraduationYear: 2012}, {Institution: "Open"}, {Institution: "Old", GraduationYear: 2004},
		}},
		"certifications": {got.Certifications, []projection.LegacyCertification{{Name: "n", Issuer: "i", Year: 2019}}},
		"skills":         {got.Skills, []string{"Go", "SQL"}},
		"the rest": {
			fmt.Sprint(got.Email, got.PhoneNumber, got.Location, got.ProfilePicture, got.CvURL),
			fmt.Sprint(email, phone, city, photoURL, pdfURL),
		},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", what, pair[0], pair[1])
		}
	}
}

func TestPortfolioIsItsLinkOrWebsite(t *testing.T) {
	const a, b = "https://a.example", "https://b.example"
	for _, tc := range []struct {
		links map[string]string
		want  projection.LegacySocials
	}{
		{map[string]string{"website": a}, projection.LegacySocials{Portfolio: a}},
		{map[string]string{"Website": a, "PORTFOLIO": b}, projection.LegacySocials{Portfolio: b}},
		{map[string]string{"portfolio": " ", "website": a}, projection.LegacySocials{Portfolio: a}},
		{map[string]string{"LinkedIn": a, "linkedin": b}, projection.LegacySocials{LinkedIn: b}},
		{map[string]string{"phone": "+971", "whatsapp": "https://wa.me/971"}, projection.LegacySocials{}},
	} {
		if got := projection.ShareLegacy(projection.Source{Socials: tc.links}, older); got.Socials != tc.want {
			t.Errorf("%q: %+v", tc.links, got.Socials)
		}
	}
}
