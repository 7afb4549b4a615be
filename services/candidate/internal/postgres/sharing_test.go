package postgres_test

import (
	"testing"
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
)

func TestSharedReadReturnsChosenCvOfPerson(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	sara := add(t, s, "usr_1", "sara")
	add(t, s, "usr_2", "omar")
	own := addCv(t, s, "usr_1", "Own", start.Add(time.Hour))
	foreign := addCv(t, s, "usr_2", "Foreign", start)

	main := &projection.Cv{ID: "master", Title: "Main CV", UpdatedAt: sara.UpdatedAt, Template: profile.Classic, Content: sara.Content}
	other := &projection.Cv{ID: own.ID, Title: "Own", UpdatedAt: own.UpdatedAt, Template: profile.Classic, Content: own.Content}
	for name, tc := range map[string]struct {
		chosen string
		want   *projection.Cv
	}{
		"the main CV":                {"master", main},
		"another CV of the person":   {own.ID, other},
		"another's":                  {foreign.ID, nil},
		"another person's CV":        {"cv_gone", nil},
		"none":                       {"", nil},
		"the main CV's id, misspelt": {"Master", nil},
		"a LIKE pattern":             {"%", nil},
	} {
		document, err := s.Sharing.Document(t.Context(), "usr_1", tc.chosen)
		if err != nil {
			t.Fatal(err)
		}
		if !same(document.Cv, tc.want) {
			t.Errorf("%s: document %+v", name, document.Cv)
		}
		want := sara.Person
		want.CreatedAt = time.Time{}
		if !same(document.Person, want) || document.Location != sara.Content.Location {
			t.Errorf("%s: person %+v, want %+v", name, document.Person, want)
		}
		reference, err := s.Sharing.Reference(t.Context(), "usr_1", tc.chosen)
		if err != nil {
			t.Fatal(err)
		}
		if tc.want == nil && reference.Cv != nil {
			t.Errorf("%s: reference %+v", name, reference.Cv)
		}
		if tc.want != nil && (reference.Cv == nil || reference.Cv.ID != tc.want.ID || reference.Cv.Title != tc.want.Title || !reference.Cv.UpdatedAt.Equal(tc.want.UpdatedAt)) {
			t.Errorf("%s: reference %+v", name, reference.Cv)
		}
	}
}

func TestReferenceReadsNoPrivateFields(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, "usr_1", "sara")
	got, err := s.Sharing.Reference(t.Context(), "usr_1", "master")
	if err != nil {
		t.Fatal(err)
	}
	if got.Person.Details != nil || got.Person.Phone != "" || got.Person.Address != "" {
		t.Errorf("the person is %+v", got.Person)
	}
}

func TestPublishedReadsOnlyPublicFields(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	sara := add(t, s, "usr_1", "sara")
	got, err := s.Sharing.Published(t.Context(), "Sara")
	if err != nil {
		t.Fatal(err)
	}
	p := got.Person
	if p.Email != "" || p.Phone != "" || p.Address != "" || p.Details != nil {
		t.Errorf("private fields were read: %+v", p)
	}
	if p.Name != sara.Name || p.AvatarURL != profile.InlinePhoto(sara.Photo) || got.Location != sara.Content.Location || got.Cv == nil || !same(got.Cv.Content, sara.Content) {
		t.Errorf("the public profile is %+v", got)
	}
	sara.Public = false
	if _, err := s.Profiles.UpdateProfile(t.Context(), sara, []profile.Field{profile.FieldProfilePublic}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Sharing.Published(t.Context(), "sara"); err == nil {
		t.Errorf("a private profile was read: %+v", got)
	}
}

func TestCvWithoutContentIsReturned(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, "usr_1", "sara")
	empty := profile.Cv{ID: "cv_empty", PersonID: "usr_1", Title: "Empty", CreatedAt: start, UpdatedAt: start}
	if err := s.Profiles.CreateCv(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	got, err := s.Sharing.Document(t.Context(), "usr_1", "cv_empty")
	if err != nil || got.Cv == nil || !same(got.Cv.Content, &cv.Content{}) {
		t.Errorf("the empty CV is %+v, %v", got.Cv, err)
	}
}
