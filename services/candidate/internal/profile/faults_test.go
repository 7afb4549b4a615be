package profile_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// pathsOf returns the fields named in an error's violations.
func pathsOf(t *testing.T, err error) []string {
	t.Helper()
	e, ok := errs.As(err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	var paths []string
	for _, v := range e.Violations {
		paths = append(paths, v.Field)
	}
	return paths
}

// broken returns a profile with several validation errors, and the paths of the invalid fields in the order
// in which they are checked.
func broken() (profile.Profile, []string) {
	p := valid()
	p.ID, p.Email, p.Name, p.Locale = "a b", "nobody", " ", "english"
	p.Details = &profile.Details{DateOfBirth: text("1990-02-30")}
	p.Phone = strings.Repeat("1", 51)
	p.Content = brokenContent
	return p, append([]string{
		"profile.person_id", "profile.email", "profile.name", "profile.locale", "profile.personal_details.date_of_birth", "profile.phone",
	}, brokenPaths("profile.content")...)
}

var brokenContent = &cv.Content{
	Summary:     "\x00",
	Socials:     map[string]string{"": "https://x.com", "github": "github.com/sara", "phone": strings.Repeat("1", 51)},
	Languages:   []string{"Arabic", strings.Repeat("x", 301)},
	Experiences: []*cv.Experience{{Id: "e", Company: "Acme", StartDate: text("2021-13"), EndDate: text("soon")}, {Id: "e", Title: "Engineer"}},
	Educations:  []*cv.Education{{School: "s", StartDate: text("2020"), EndDate: text("2019")}},
}

// brokenPaths returns the paths of the faults in brokenContent, below root.
func brokenPaths(root string) []string {
	var paths []string
	for _, path := range []string{
		"summary", "socials", `socials["github"]`, `socials["phone"]`, "languages[1]",
		"experiences[0].title", "experiences[0].start_date", "experiences[0].end_date", "experiences[1].company",
		"educations[0].end_date", "experiences[1].id",
	} {
		paths = append(paths, root+"."+path)
	}
	return paths
}

func TestInvalidProfileListsAllFaults(t *testing.T) {
	p, want := broken()
	_, created := newService(t).Create(t.Context(), p)
	checked := newServiceOn(t, empty{}).ValidateCreate(t.Context(), p)
	for _, err := range []error{created, checked} {
		if got := pathsOf(t, err); !slices.Equal(got, want) {
			t.Errorf("faults of\n%q, want\n%q", got, want)
		}
	}
}

func TestInvalidUpdateListsAllFaults(t *testing.T) {
	p, _ := broken()
	_, err := newService(t).Update(t.Context(), p, []profile.Field{"phone", "nope", "name"})
	if got, want := pathsOf(t, err), []string{"update_mask", "profile.phone", "profile.name"}; !slices.Equal(got, want) {
		t.Errorf("faults of %q, want %q", got, want)
	}
}

func TestInvalidCvListsAllFaults(t *testing.T) {
	s := newService(t)
	_, created := s.CreateCv(t.Context(), "usr_1", " ", brokenContent)
	_, updated := s.UpdateCv(t.Context(), profile.CvChange{
		Cv: profile.Cv{ID: "cv_1", Title: " ", Content: brokenContent}, NewTitle: true, NewContent: true,
	})
	want := append([]string{"title"}, brokenPaths("content")...)
	for _, err := range []error{created, updated, profile.ValidateCreateCv(" ", brokenContent)} {
		if got := pathsOf(t, err); !slices.Equal(got, want) {
			t.Errorf("faults of\n%q, want\n%q", got, want)
		}
	}
}

// taken is a store in which every id and every handle is already taken.
type taken struct{ untouched }

func (taken) Taken(_ context.Context, personID, username string) (profile.Taken, error) {
	return profile.Taken{Person: personID != "", Username: username != ""}, nil
}

func TestDryRunListsTakenFieldsLast(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *profile.Profile)
		code   string
		want   []string
	}{
		"only that":             {func(*profile.Profile) {}, "PROFILE_EXISTS", []string{"profile.person_id", "profile.username"}},
		"only the handle":       {func(p *profile.Profile) { p.ID = "a b" }, "INVALID_ARGUMENT", []string{"profile.person_id", "profile.username"}},
		"beside another fault":  {func(p *profile.Profile) { p.Name = "" }, "INVALID_ARGUMENT", []string{"profile.name", "profile.person_id", "profile.username"}},
		"a handle of no form":   {func(p *profile.Profile) { p.Username = "A" }, "INVALID_ARGUMENT", []string{"profile.username", "profile.person_id"}},
		"no handle":             {func(p *profile.Profile) { p.Username = "" }, "PROFILE_EXISTS", []string{"profile.person_id"}},
		"no id and no handle":   {func(p *profile.Profile) { p.ID, p.Username = "", "" }, "INVALID_ARGUMENT", []string{"profile.person_id"}},
		"nothing can be looked": {func(p *profile.Profile) { p.ID, p.Username = "\x00", "\x00" }, "INVALID_ARGUMENT", []string{"profile.person_id", "profile.username"}},
	} {
		p := valid()
		p.Username = "sara"
		c.change(&p)
		err := newServiceOn(t, taken{}).ValidateCreate(t.Context(), p)
		if got := pathsOf(t, err); !errs.HasCode(err, c.code) || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v with faults of %q, want %s of %q", name, err, got, c.code, c.want)
		}
	}
}
