package projection_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/scope"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
)

// older is the grant of a consent on the legacy interface.
var older = projection.Grant{Scopes: []string{scope.ProfileRead}, SharePhoto: true, PdfURL: pdfURL, PhotoURL: photoURL}

// legacyShows lists the stored texts that the legacy interface shows. It must never show others, including
// new fields. Dates are listed in addition to the years derived from them.
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
	if got := projection.ShareLegacy(source, older); got.Email != nil {
		t.Error("an unverified email address is shown")
	}
	withoutPhoto := older
	withoutPhoto.SharePhoto = false
	if got := projection.ShareLegacy(source, withoutPhoto); got.ProfilePicture != nil {
		t.Error("an unshared photo is shown")
	}
}

func TestConsentCoversOnlyItsInterface(t *testing.T) {
	source, paths := filled()
	shared, ok := pages.ShareCv(source, older)
	user := pages.ShareUser(source, older)
	for _, path := range shownIn([]any{shared, user}, paths) {
		if need(path) != always {
			t.Errorf("%s is shown to a consent of the legacy interface", path)
		}
	}
	if ok || user.Connection != nil {
		t.Error("a consent at the legacy interface can read a shared CV")
	}
	modern := projection.Grant{Scopes: []string{"profile", "email", "cv:read", "cv:contact"}, PdfURL: pdfURL}
	for _, path := range shownIn(projection.ShareLegacy(source, modern), paths) {
		if need(path) != always {
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
		if need(path) == contact && path != "Person.Phone" {
			t.Errorf("%s is shown", path)
		}
	}
	for _, path := range []string{"Person.Phone", "Person.Email", "Cv.Content.Summary"} {
		if !ok || !slices.Contains(shown, path) {
			t.Errorf("%s is not shown", path)
		}
	}
	if shared.Document.GetAvatarUrl().GetValue() != photoURL {
		t.Errorf("the photo is %q", shared.Document.GetAvatarUrl())
	}
	if shared.PersonalDetails != nil {
		t.Error("personal details are shown")
	}
}

func TestLegacyOmitsEmptyFields(t *testing.T) {
	empty := projection.Source{Person: profile.Person{Name: "Sara", Phone: " ", Headline: "\t", AvatarURL: " "}, Location: " "}
	for name, tc := range map[string]struct {
		change func(*projection.Source)
		want   *candidatev1.LegacyProfile
	}{
		"a name alone": {func(*projection.Source) {}, &candidatev1.LegacyProfile{Name: proto.String("Sara")}},
		"what makes no CV": {func(s *projection.Source) {
			s.Location, s.Socials = city, map[string]string{"GitHub ": "https://github.com/sara", "x": "https://x.com/sara"}
		}, &candidatev1.LegacyProfile{
			Name: proto.String("Sara"), Location: proto.String(city), SocialLinks: &candidatev1.LegacySocialLinks{Github: proto.String("https://github.com/sara")},
		}},
		"blank parts of a CV": {func(s *projection.Source) {
			s.Cv = &projection.Cv{ID: "master", Content: &cv.Content{
				Languages: []string{" "}, Skills: []string{" "},
				Experiences:    []*cv.Experience{{Title: "Engineer", Company: "Acme", Location: text(" "), Overview: text("\n"), Bullets: []string{" "}}},
				Educations:     []*cv.Education{{School: "School", Degree: text(" "), FieldOfStudy: text(" ")}},
				Certifications: []*cv.Certification{{Name: "Name", Issuer: "Issuer"}},
			}}
		}, &candidatev1.LegacyProfile{
			Name: proto.String("Sara"), CvUrl: proto.String(pdfURL),
			Experience:     []*candidatev1.LegacyExperience{{Title: "Engineer", Company: "Acme"}},
			Education:      []*candidatev1.LegacyEducation{{Institution: "School"}},
			Certifications: []*candidatev1.LegacyCertification{{Name: "Name", Issuer: "Issuer"}},
		}},
	} {
		source := empty
		tc.change(&source)
		if got := projection.ShareLegacy(source, older); !proto.Equal(got, tc.want) {
			t.Errorf("%s:\ngot  %v\nwant %v", name, got, tc.want)
		}
	}
}

func TestLegacyExperiencesAreOrderedWithYears(t *testing.T) {
	source := situation{cv: "master", stored: true, verified: true}.source()
	source.Cv.Content = &cv.Content{
		Experiences: []*cv.Experience{
			{Title: "First", StartDate: text("2010"), EndDate: text("2012-05")},
			{Title: "Now", StartDate: text("2020-01-15"), EndDate: text("2021"), Current: true, Overview: text("Leads."), Bullets: []string{"Did this", "Did that"}},
		},
		Educations: []*cv.Education{
			{School: "Old", EndDate: text("2004-06-30")}, {School: "Late", EndDate: text("2012")}, {School: "Open", StartDate: text("2005")},
		},
		Certifications: []*cv.Certification{{Name: "n", Issuer: "i", IssueDate: text("2019-03"), ExpirationDate: text("2029")}},
		SkillGroups:    []*cv.SkillGroup{{Category: "Data", Items: []string{"SQL", "go"}}},
		Skills:         []string{"Go"},
	}
	got := projection.ShareLegacy(source, older)
	want := &candidatev1.LegacyProfile{
		Name: proto.String("Sara"), Email: proto.String(email), PhoneNumber: proto.String(phone), Location: proto.String(city),
		ProfilePicture: proto.String(photoURL), CvUrl: proto.String(pdfURL), Skills: []string{"Go", "SQL"},
		Experience: []*candidatev1.LegacyExperience{
			{Title: "Now", StartDate: proto.String("2020-01-15"), Current: true, Description: proto.String("Leads.\nDid this\nDid that")},
			{Title: "First", StartDate: proto.String("2010"), EndDate: proto.String("2012-05")},
		},
		Education: []*candidatev1.LegacyEducation{
			{Institution: "Late", GraduationYear: proto.Int32(2012)}, {Institution: "Open"}, {Institution: "Old", GraduationYear: proto.Int32(2004)},
		},
		Certifications: []*candidatev1.LegacyCertification{{Name: "n", Issuer: "i", Year: proto.Int32(2019)}},
	}
	if !proto.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestPortfolioIsPortfolioLinkOrWebsite(t *testing.T) {
	const a, b = "https://a.example", "https://b.example"
	for _, tc := range []struct {
		links map[string]string
		want  *candidatev1.LegacySocialLinks
	}{
		{map[string]string{"website": a}, &candidatev1.LegacySocialLinks{Portfolio: proto.String(a)}},
		{map[string]string{"Website": a, "PORTFOLIO": b}, &candidatev1.LegacySocialLinks{Portfolio: proto.String(b)}},
		{map[string]string{"portfolio": " ", "website": a}, &candidatev1.LegacySocialLinks{Portfolio: proto.String(a)}},
		{map[string]string{"LinkedIn": a, "linkedin": b}, &candidatev1.LegacySocialLinks{Linkedin: proto.String(b)}},
		{map[string]string{"phone": "+971", "whatsapp": "https://wa.me/971"}, nil},
	} {
		if got := projection.ShareLegacy(projection.Source{Socials: tc.links}, older).GetSocialLinks(); !proto.Equal(got, tc.want) {
			t.Errorf("%q: %v", tc.links, got)
		}
	}
}
