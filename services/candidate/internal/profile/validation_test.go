package profile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

var text = wrapperspb.String

// untouched is a store whose methods all panic.
type untouched struct{ profile.Store }

// empty is a store in which every person id and handle is free.
type empty struct{ untouched }

func (empty) Taken(context.Context, string, string) (profile.Taken, error) {
	return profile.Taken{}, nil
}

func newService(t *testing.T) *profile.Service {
	t.Helper()
	return newServiceOn(t, untouched{})
}

func newServiceOn(t *testing.T, store profile.Store) *profile.Service {
	t.Helper()
	s, err := profile.NewService(profile.Config{Store: store, Pictures: pictures{}, Clock: clock.NewFake(time.Unix(0, 0))})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valid() profile.Profile {
	return profile.Profile{Person: profile.Person{ID: "usr_1", Email: "sara@example.com", Name: "Sara"}}
}

// fieldOf returns the field named in a validation error.
func fieldOf(t *testing.T, err error) string {
	t.Helper()
	e, ok := errs.As(err)
	if !ok || e.Kind != errs.Invalid || e.Code != "INVALID_ARGUMENT" {
		t.Fatalf("got %v, want INVALID_ARGUMENT", err)
	}
	if !strings.HasPrefix(e.Message, e.Field()) {
		t.Errorf("message %q does not name %s", e.Message, e.Field())
	}
	return e.Field()
}

func TestInvalidProfileNamesField(t *testing.T) {
	tooLong := strings.Repeat("x", 20_000)
	for field, breaks := range map[string][]func(p *profile.Profile){
		"profile.person_id": {
			func(p *profile.Profile) { p.ID = "" },
			func(p *profile.Profile) { p.ID = "a b" },
			func(p *profile.Profile) { p.ID = "a\x00" },
			func(p *profile.Profile) { p.ID = tooLong },
		},
		"profile.email": {
			func(p *profile.Profile) { p.Email = "" },
			func(p *profile.Profile) { p.Email = "Sara <sara@example.com>" },
		},
		"profile.name": {
			func(p *profile.Profile) { p.Name = " " },
			func(p *profile.Profile) { p.Name = "a\x00b" },
			func(p *profile.Profile) { p.Name = "\xff" },
			func(p *profile.Profile) { p.Name = "\u200b" },
			func(p *profile.Profile) { p.Name = "Sara\nHaddad" },
			func(p *profile.Profile) { p.Name = "Sara\u202eddaH" },
			func(p *profile.Profile) { p.Name = tooLong },
		},
		"profile.username": {
			func(p *profile.Profile) { p.Username = "a" },
			func(p *profile.Profile) { p.Username = "Sara" },
			func(p *profile.Profile) { p.Username = ".." },
			func(p *profile.Profile) { p.Username = "sara/cv" },
			func(p *profile.Profile) { p.Username = "sara\n" },
			func(p *profile.Profile) { p.Username = "سارة" },
			func(p *profile.Profile) { p.Username = strings.Repeat("a", 41) },
		},
		"profile.headline": {
			func(p *profile.Profile) { p.Headline = tooLong },
			func(p *profile.Profile) { p.Headline = "Engineer\u2028at Acme" },
			func(p *profile.Profile) { p.Headline = "\u2066Engineer" },
		},
		"profile.locale": {
			func(p *profile.Profile) { p.Locale = "en_US" },
			func(p *profile.Profile) { p.Locale = "english" },
			func(p *profile.Profile) { p.Locale = "en-" },
			func(p *profile.Profile) { p.Locale = "x" },
		},
		"profile.avatar_url": {
			func(p *profile.Profile) { p.AvatarURL = "file:///etc/passwd" },
			func(p *profile.Profile) { p.AvatarURL = "data:image/svg+xml;base64,AAAA" },
		},
		"profile.personal_details.date_of_birth": {
			func(p *profile.Profile) { p.Details = &profile.Details{DateOfBirth: text("1990-02-30")} },
			func(p *profile.Profile) { p.Details = &profile.Details{DateOfBirth: text("1990")} },
		},
		"profile.personal_details.gender":           {func(p *profile.Profile) { p.Details = &profile.Details{Gender: text(tooLong)} }},
		"profile.personal_details.marital_status":   {func(p *profile.Profile) { p.Details = &profile.Details{MaritalStatus: text(tooLong)} }},
		"profile.personal_details.nationality":      {func(p *profile.Profile) { p.Details = &profile.Details{Nationality: text("\x00")} }},
		"profile.personal_details.residence":        {func(p *profile.Profile) { p.Details = &profile.Details{Residence: text(tooLong)} }},
		"profile.personal_details.visa_residency":   {func(p *profile.Profile) { p.Details = &profile.Details{VisaResidency: text(tooLong)} }},
		"profile.personal_details.national_service": {func(p *profile.Profile) { p.Details = &profile.Details{NationalService: text(tooLong)} }},
		"profile.personal_details.dependents":       {func(p *profile.Profile) { p.Details = &profile.Details{Dependents: text(tooLong)} }},
		"profile.phone":                             {func(p *profile.Profile) { p.Phone = tooLong }},
		"profile.address":                           {func(p *profile.Profile) { p.Address = tooLong }},
		"profile.content.summary":                   {func(p *profile.Profile) { p.Content = &cv.Content{Summary: tooLong} }},
	} {
		for i, breakIt := range breaks {
			t.Run(fmt.Sprint(field, " ", i), func(t *testing.T) {
				p := valid()
				breakIt(&p)
				_, err := newService(t).Create(t.Context(), p)
				if got := fieldOf(t, err); got != field {
					t.Errorf("Create names %s", got)
				}
				if got := fieldOf(t, newServiceOn(t, empty{}).ValidateCreate(t.Context(), p)); got != field {
					t.Errorf("ValidateCreate names %s", got)
				}
			})
		}
	}
}

func TestInvalidContentNamesItem(t *testing.T) {
	tooLong, lines := strings.Repeat("x", 10_001), strings.Repeat("x", 301)
	experience := &cv.Experience{Title: "Engineer", Company: "Acme"}
	third := func(change func(e *cv.Experience)) *cv.Content {
		broken := proto.CloneOf(experience)
		change(broken)
		return &cv.Content{Experiences: []*cv.Experience{experience, experience, broken}}
	}
	for field, contents := range map[string][]*cv.Content{
		"summary":      {{Summary: tooLong}, {Summary: "\x00"}, {Summary: "\xc3"}},
		"bio":          {{Bio: tooLong}},
		"about":        {{About: tooLong}},
		"location":     {{Location: lines}},
		"languages":    {{Languages: make([]string, 101)}},
		"languages[1]": {{Languages: []string{"English", lines}}},
		"skills":       {{Skills: make([]string, 501)}},
		"skills[0]":    {{Skills: []string{"\x00"}}},
		"interests[0]": {{Interests: []string{lines}}},
		"socials":      {{Socials: map[string]string{"": "https://x.com"}}, {Socials: map[string]string{"a\x00": "https://x.com"}}, {Socials: manyLinks(31)}},

		`socials["github"]`: {{Socials: map[string]string{"github": "github.com/sara"}}, {Socials: map[string]string{"github": "javascript:alert(1)"}}},
		`socials["phone"]`:  {{Socials: map[string]string{"phone": lines}}},

		"skill_groups[0].category": {{SkillGroups: []*cv.SkillGroup{{Items: []string{"Go"}}}}},
		"skill_groups[0].items[0]": {{SkillGroups: []*cv.SkillGroup{{Category: "c", Items: []string{lines}}}}},
		"highlights[0].title":      {{Highlights: []*cv.Highlight{{Desc: "d"}}}},
		"highlights[0].desc":       {{Highlights: []*cv.Highlight{{Title: "t", Desc: tooLong}}}},
		"highlights[1].id":         {{Highlights: []*cv.Highlight{{Id: proto.String("h"), Title: "t"}, {Id: proto.String("h"), Title: "t"}}}},

		"experiences":                    {{Experiences: make([]*cv.Experience, 201)}},
		"experiences[2].id":              {third(func(e *cv.Experience) { e.Id = "a b" }), third(func(e *cv.Experience) { e.Id = lines })},
		"experiences[2].title":           {third(func(e *cv.Experience) { e.Title = " " }), third(func(e *cv.Experience) { e.Title = lines })},
		"experiences[2].company":         {third(func(e *cv.Experience) { e.Company = "" })},
		"experiences[2].location":        {third(func(e *cv.Experience) { e.Location = text(lines) })},
		"experiences[2].location_type":   {third(func(e *cv.Experience) { e.LocationType = text(lines) })},
		"experiences[2].employment_type": {third(func(e *cv.Experience) { e.EmploymentType = text(lines) })},
		"experiences[2].start_date":      {third(func(e *cv.Experience) { e.StartDate = text("2021-13") })},
		"experiences[2].end_date": {
			third(func(e *cv.Experience) { e.StartDate, e.EndDate = text("2021"), text("2020") }),
			third(func(e *cv.Experience) { e.EndDate = text("soon") }),
			third(func(e *cv.Experience) { e.EndDate, e.Current = text("soon"), true }),
		},
		"experiences[2].overview":   {third(func(e *cv.Experience) { e.Overview = text(tooLong) })},
		"experiences[2].bullets[1]": {third(func(e *cv.Experience) { e.Bullets = []string{"ok", tooLong} })},
		"experiences[2].bullets":    {third(func(e *cv.Experience) { e.Bullets = make([]string, 101) })},

		"educations[0].school":         {{Educations: []*cv.Education{{Degree: text("BSc")}}}},
		"educations[0].degree":         {{Educations: []*cv.Education{{School: "s", Degree: text(lines)}}}},
		"educations[0].field_of_study": {{Educations: []*cv.Education{{School: "s", FieldOfStudy: text(lines)}}}},
		"educations[0].start_date":     {{Educations: []*cv.Education{{School: "s", StartDate: text("x")}}}},
		"educations[0].end_date":       {{Educations: []*cv.Education{{School: "s", StartDate: text("2020"), EndDate: text("2019")}}}},
		"educations[0].description":    {{Educations: []*cv.Education{{School: "s", Description: text(tooLong)}}}},
		"educations[1].id":             {{Educations: []*cv.Education{{Id: "e", School: "s"}, {Id: "e", School: "s"}}}},

		"certifications[0].name":            {{Certifications: []*cv.Certification{{Issuer: "i"}}}},
		"certifications[0].issuer":          {{Certifications: []*cv.Certification{{Name: "n"}}}},
		"certifications[0].issue_date":      {{Certifications: []*cv.Certification{{Name: "n", Issuer: "i", IssueDate: text("2020-02-30")}}}},
		"certifications[0].expiration_date": {{Certifications: []*cv.Certification{{Name: "n", Issuer: "i", IssueDate: text("2020"), ExpirationDate: text("2019")}}}},
		"certifications[0].credential_url":  {{Certifications: []*cv.Certification{{Name: "n", Issuer: "i", CredentialUrl: text("ftp://x.org")}}}},

		"projects[0].title":           {{Projects: []*cv.Project{{Description: text("d")}}}},
		"projects[0].image":           {{Projects: []*cv.Project{{Title: "t", Image: text("x.png")}}}},
		"projects[0].link":            {{Projects: []*cv.Project{{Title: "t", Link: text("file:///x")}}}},
		"projects[0].technologies[0]": {{Projects: []*cv.Project{{Title: "t", Technologies: []string{lines}}}}},
	} {
		for i, content := range contents {
			t.Run(fmt.Sprint(field, " ", i), func(t *testing.T) {
				p := valid()
				p.Content = content
				_, err := newService(t).Create(t.Context(), p)
				if got := fieldOf(t, err); got != "profile.content."+field {
					t.Errorf("Create names %s", got)
				}
				_, err = newService(t).Update(t.Context(), p, []profile.Field{profile.FieldContent})
				if got := fieldOf(t, err); got != "profile.content."+field {
					t.Errorf("Update names %s", got)
				}
				_, err = newService(t).CreateCv(t.Context(), "usr_1", "CV", content)
				if got := fieldOf(t, err); got != "content."+field {
					t.Errorf("CreateCv names %s", got)
				}
				_, err = newService(t).UpdateCv(t.Context(), profile.CvChange{Cv: profile.Cv{ID: "cv_1", Content: content}, NewContent: true})
				if got := fieldOf(t, err); got != "content."+field {
					t.Errorf("UpdateCv names %s", got)
				}
			})
		}
	}
}

func manyLinks(n int) map[string]string {
	links := map[string]string{}
	for i := range n {
		links[fmt.Sprint("site", i)] = "https://example.com"
	}
	return links
}

func TestContentSizeIsLimited(t *testing.T) {
	big := &cv.Content{}
	for range 60 {
		big.Highlights = append(big.Highlights, &cv.Highlight{Title: "t", Desc: strings.Repeat("x", 10_000)})
	}
	if got := fieldOf(t, profile.ValidateCreateCv("CV", big)); got != "content" {
		t.Errorf("names %s", got)
	}
	big.Highlights = big.Highlights[:50]
	if err := profile.ValidateCreateCv("CV", big); err != nil {
		t.Errorf("half a MiB is rejected: %v", err)
	}
}

func TestCvNeedsTitleAndChange(t *testing.T) {
	for _, title := range []string{"", "  ", "\u200b", strings.Repeat("x", 201), "\x00", "a\nb", "a\u202eb"} {
		if got := fieldOf(t, profile.ValidateCreateCv(title, &cv.Content{})); got != "title" {
			t.Errorf("%.10q names %s", title, got)
		}
	}
	_, err := newService(t).UpdateCv(t.Context(), profile.CvChange{Cv: profile.Cv{ID: "cv_1"}})
	if got := fieldOf(t, err); got != "title" {
		t.Errorf("an empty change names %s", got)
	}
}

func TestValidProfileIsAccepted(t *testing.T) {
	p := valid()
	p.Username, p.Locale, p.AvatarURL = "sara.al-ali_7", "ar-AE", "https://example.com/me.jpg"
	p.Details = &profile.Details{DateOfBirth: text("1990-05-17")}
	p.Phone, p.Address = "+971 50 123 4567", "دبي"
	p.Content = &cv.Content{
		Socials:     map[string]string{"github": "https://github.com/sara", "Phone": "+971 50 123 4567"},
		Experiences: []*cv.Experience{{Title: "Engineer", Company: "Acme", StartDate: text("2021"), EndDate: text("2020"), Current: true}},
		Highlights:  []*cv.Highlight{{Title: "no id"}, {Title: "no id either"}},
	}
	if err := profile.ValidateCreateCv("سيرة", p.Content); err != nil {
		t.Error(err)
	}
	if err := newServiceOn(t, empty{}).ValidateCreate(t.Context(), p); err != nil {
		t.Error(err)
	}
}

// updating is a store that accepts updates and records the mask.
type updating struct {
	untouched
	mask []profile.Field
}

func (u *updating) UpdateProfile(_ context.Context, p profile.Profile, mask []profile.Field) (profile.Profile, error) {
	u.mask = mask
	return p, nil
}

func TestUpdateMaskNamesWritableFields(t *testing.T) {
	for _, mask := range [][]profile.Field{
		nil, {""}, {"person_id"}, {"created_at"}, {"updated_at"}, {"name", "nope"}, {"content.summary"}, {"personalDetails"}, {"*"},
	} {
		_, err := newService(t).Update(t.Context(), valid(), mask)
		if got := fieldOf(t, err); got != "update_mask" {
			t.Errorf("%q names %s", mask, got)
		}
	}
	store := &updating{}
	if _, err := newServiceOn(t, store).Update(t.Context(), valid(), []profile.Field{"name", "content"}); err != nil || len(store.mask) != 2 {
		t.Errorf("got %v, %v", store.mask, err)
	}
}

func TestInvalidIDsAreNotLookedUp(t *testing.T) {
	s := newService(t)
	_, byID := s.ByID(t.Context(), "usr\x00")
	_, byHandle := s.ByUsername(t.Context(), "../x")
	_, updated := s.Update(t.Context(), profile.Profile{Person: profile.Person{ID: "\x00"}}, []profile.Field{profile.FieldOpenToWork})
	_, created := s.CreateCv(t.Context(), "\x00", "CV", &cv.Content{})
	for _, err := range []error{byID, byHandle, updated, created} {
		if !errs.HasCode(err, "PROFILE_NOT_FOUND") {
			t.Errorf("got %v", err)
		}
	}
	_, found := s.Cv(t.Context(), "master")
	_, changed := s.UpdateCv(t.Context(), profile.CvChange{Cv: profile.Cv{ID: "cv_\x00", Title: "t"}, NewTitle: true})
	for _, err := range []error{found, changed, s.DeleteCv(t.Context(), "")} {
		if !errs.HasCode(err, "CV_NOT_FOUND") {
			t.Errorf("got %v", err)
		}
	}
	if choice, err := s.Choice(t.Context(), "\x00"); err != nil || len(choice.Cvs) != 0 {
		t.Errorf("got %v, %v", choice, err)
	}
}
