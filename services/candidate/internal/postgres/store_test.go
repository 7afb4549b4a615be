package postgres_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/id"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/canarytest"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var start = time.Date(2026, 1, 2, 3, 4, 5, 678000, time.UTC)

func open(t *testing.T) (*postgres.Stores, *pgxpool.Pool) {
	t.Helper()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{
		URL: testkit.Database(t, "candidate", postgres.Migrate), MaxConns: 8,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	s, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	return s, pool
}

// full returns a profile with every field set.
func full(personID, username string) profile.Profile {
	var p profile.Profile
	canarytest.Fill(&p, func(path string) string { return path + " «نص»" })
	p.ID, p.Username, p.CreatedAt, p.UpdatedAt = personID, username, start, start
	p.AvatarURL, p.Photo = profile.KeptPhoto, []byte("the JPEG of "+personID)
	return p
}

func add(t *testing.T, s *postgres.Stores, personID, username string) profile.Profile {
	t.Helper()
	p := full(personID, username)
	if err := s.Profiles.CreateProfile(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return p
}

// same compares values that contain messages, whose unexported fields may differ.
func same(a, b any) bool {
	left, err := json.Marshal(a)
	right, other := json.Marshal(b)
	return err == nil && other == nil && bytes.Equal(left, right)
}

func addCv(t *testing.T, s *postgres.Stores, personID, title string, at time.Time) profile.Cv {
	t.Helper()
	c := profile.Cv{ID: id.New("cv"), PersonID: personID, Title: title, Template: profile.Classic, CreatedAt: at, UpdatedAt: at}
	canarytest.Fill(&c.Content, func(path string) string { return title + path })
	if err := s.Profiles.CreateCv(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProfileRoundTrip(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	want := add(t, s, "usr_1", "sara")
	byID, err := s.Profiles.ProfileByID(t.Context(), "usr_1")
	if err != nil || !same(byID, want) {
		t.Errorf("got %+v, %v\nwant %+v", byID, err, want)
	}
	byUsername, err := s.Profiles.ProfileByUsername(t.Context(), "SaRa")
	if err != nil || !same(byUsername, want) {
		t.Errorf("by username: got %+v, %v", byUsername, err)
	}
}

func TestPersonAndHandleAreUnique(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, "usr_1", "sara")
	add(t, s, "usr_2", "")
	add(t, s, "usr_3", "") // empty handles do not conflict
	for name, tc := range map[string]struct {
		id, username string
		want         error
		taken        profile.Taken
	}{
		"the same person":                {"usr_1", "other", profile.ErrProfileExists, profile.Taken{Person: true}},
		"the same handle":                {"usr_4", "sara", profile.ErrUsernameTaken, profile.Taken{Username: true}},
		"the handle in a different case": {"usr_4", "SARA", profile.ErrUsernameTaken, profile.Taken{Username: true}},
		"both":                           {"usr_1", "sara", profile.ErrProfileExists, profile.Taken{Person: true, Username: true}},
		"free":                           {"usr_5", "omar", nil, profile.Taken{}},
	} {
		taken, err := s.Profiles.Taken(t.Context(), tc.id, tc.username)
		if err != nil || taken != tc.taken {
			t.Errorf("%s: what is taken: %+v, %v", name, taken, err)
		}
		if err := s.Profiles.CreateProfile(t.Context(), full(tc.id, tc.username)); !errors.Is(err, tc.want) {
			t.Errorf("%s: create: %v, want %v", name, err, tc.want)
		}
	}
	_, err := s.Profiles.UpdateProfile(t.Context(), full("usr_2", "sara"), []profile.Field{profile.FieldName, profile.FieldUsername})
	if !errors.Is(err, profile.ErrUsernameTaken) {
		t.Errorf("updating to a taken handle: %v", err)
	}
	if p, _ := s.Profiles.ProfileByID(t.Context(), "usr_2"); p.Username != "" {
		t.Error("a rejected update was partly written")
	}
}

// renames returns a function that changes a person's handle.
func renames(t *testing.T, s *postgres.Stores) func(person, username string, at time.Time) error {
	return func(person, username string, at time.Time) error {
		p := full(person, username)
		p.UpdatedAt = at
		_, err := s.Profiles.UpdateProfile(t.Context(), p, []profile.Field{profile.FieldUsername})
		return err
	}
}

func TestReleasedHandleIsReserved90Days(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	add(t, s, "usr_1", "sara")
	add(t, s, "usr_2", "omar")
	handle := renames(t, s)
	taken := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, profile.ErrUsernameTaken) {
			t.Errorf("%s: %v", what, err)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(handle("usr_1", "sara.new", start))
	taken("the next second", handle("usr_2", "SARA", start.Add(time.Second)))
	if p, _ := s.Profiles.ProfileByID(t.Context(), "usr_2"); p.Username != "omar" {
		t.Errorf("after a rejected change, the handle is %q", p.Username)
	}
	late := full("usr_3", "sara")
	late.CreatedAt = start.Add(time.Second)
	taken("by a new person", s.Profiles.CreateProfile(t.Context(), late))
	must(handle("usr_1", "sara", start.Add(time.Minute)))
	must(handle("usr_1", "sara.new", start.Add(time.Hour)))
	taken("at its last moment", handle("usr_2", "sara", start.Add(time.Hour+profile.HandleKept-time.Microsecond)))
	must(handle("usr_2", "sara", start.Add(time.Hour+profile.HandleKept)))
	taken("a reserved one", handle("usr_2", "ad-min", start))
	must(s.PersonData.EraseProfile(t.Context(), "usr_2"))
	taken("of a deleted person", handle("usr_1", "sara", time.Now()))
	var left int
	must(pool.QueryRow(t.Context(), "SELECT count(*) FROM released_handles WHERE person_id = 'usr_2'").Scan(&left))
	if left != 0 {
		t.Errorf("%d released handles still contain the person's id", left)
	}
}

func TestThreeReleasedHandlesStayReserved(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, "usr_1", "one")
	add(t, s, "usr_2", "omar")
	handle := renames(t, s)
	// The person gets the first handle back and then releases it again.
	for i, next := range []string{"two", "three", "one", "four", "five"} {
		if err := handle("usr_1", next, start.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	for _, kept := range []string{"three", "one", "four"} {
		if err := handle("usr_2", kept, start.Add(time.Minute)); !errors.Is(err, profile.ErrUsernameTaken) {
			t.Errorf("%s, one of the last three released handles: %v", kept, err)
		}
	}
	if err := handle("usr_2", "two", start.Add(time.Minute)); err != nil {
		t.Errorf("the fourth last released handle: %v", err)
	}
}

func TestOnlyOnePersonGetsHandle(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	won := make(chan string, 20)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			person := fmt.Sprint("usr_", i)
			switch err := s.Profiles.CreateProfile(context.Background(), full(person, "sara")); {
			case err == nil:
				won <- person
			case !errors.Is(err, profile.ErrUsernameTaken):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(won) != 1 {
		t.Errorf("%d people got the handle, want 1", len(won))
	}
}

func TestUpdateReplacesOnlyNamedFields(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	before := add(t, s, "usr_1", "sara")
	later := start.Add(time.Minute)
	// Check every field, so that none is mapped to a wrong column.
	for field, read := range map[profile.Field]func(p profile.Profile) any{
		profile.FieldEmail:           func(p profile.Profile) any { return p.Email },
		profile.FieldEmailVerified:   func(p profile.Profile) any { return p.EmailVerified },
		profile.FieldName:            func(p profile.Profile) any { return p.Name },
		profile.FieldUsername:        func(p profile.Profile) any { return p.Username },
		profile.FieldHeadline:        func(p profile.Profile) any { return p.Headline },
		profile.FieldLocale:          func(p profile.Profile) any { return p.Locale },
		profile.FieldAvatarURL:       func(p profile.Profile) any { return []any{p.AvatarURL, string(p.Photo)} },
		profile.FieldUAEPassVerified: func(p profile.Profile) any { return p.UAEPassVerified },
		profile.FieldOpenToWork:      func(p profile.Profile) any { return p.OpenToWork },
		profile.FieldProfilePublic:   func(p profile.Profile) any { return p.Public },
		profile.FieldPersonalDetails: func(p profile.Profile) any { return p.Details },
		profile.FieldPhone:           func(p profile.Profile) any { return p.Phone },
		profile.FieldAddress:         func(p profile.Profile) any { return p.Address },
		profile.FieldContent:         func(p profile.Profile) any { return []any{proto.Size(p.Content), p.HasMainCv} },
	} {
		cleared := profile.Profile{Person: profile.Person{ID: "usr_1", UpdatedAt: later}}
		got, err := s.Profiles.UpdateProfile(t.Context(), cleared, []profile.Field{field})
		if err != nil {
			t.Fatal(err)
		}
		if !same(read(got), read(cleared)) {
			t.Errorf("%s is %v, want it cleared", field, read(got))
		}
		if !got.UpdatedAt.Equal(later) {
			t.Errorf("%s: updated at %s", field, got.UpdatedAt)
		}
		restored := before
		restored.UpdatedAt = start // the clock of the other replica is behind
		got, err = s.Profiles.UpdateProfile(t.Context(), restored, []profile.Field{field})
		if err != nil {
			t.Fatal(err)
		}
		if !got.UpdatedAt.Equal(later) {
			t.Errorf("%s: updated_at went back to %s", field, got.UpdatedAt)
		}
		got.UpdatedAt = start
		if !same(got, before) {
			t.Errorf("%s: another field changed: %+v", field, got)
		}
	}
}

func TestUnknownIDsAreNotFound(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	ctx := t.Context()
	_, byID := s.Profiles.ProfileByID(ctx, "usr_9")
	_, byUsername := s.Profiles.ProfileByUsername(ctx, "nobody")
	_, empty := s.Profiles.ProfileByUsername(ctx, "")
	_, update := s.Profiles.UpdateProfile(ctx, full("usr_9", "nobody"), []profile.Field{profile.FieldName})
	create := s.Profiles.CreateCv(ctx, profile.Cv{ID: id.New("cv"), PersonID: "usr_9", Title: "t"})
	_, reference := s.Sharing.Reference(ctx, "usr_9", "master")
	_, document := s.Sharing.Document(ctx, "usr_9", "master")
	_, published := s.Sharing.Published(ctx, "nobody")
	for i, err := range []error{byID, byUsername, empty, update, create, reference, document, published} {
		if !errors.Is(err, profile.ErrProfileNotFound) {
			t.Errorf("profile %d: %v", i, err)
		}
	}
	_, found := s.Profiles.Cv(ctx, id.New("cv"))
	_, updated := s.Profiles.UpdateCv(ctx, profile.CvChange{Cv: profile.Cv{ID: id.New("cv"), Title: "t"}, NewTitle: true})
	for i, err := range []error{found, updated, s.Profiles.DeleteCv(ctx, id.New("cv"))} {
		if !errors.Is(err, profile.ErrCvNotFound) {
			t.Errorf("CV %d: %v", i, err)
		}
	}
	if choice, err := s.Profiles.Choice(ctx, "usr_9"); err != nil || !reflect.DeepEqual(choice, profile.Choice{}) {
		t.Errorf("the choice for an unknown person is %+v, %v", choice, err)
	}
}

func TestCvCanBeChangedAndDeleted(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, "usr_1", "sara")
	want := addCv(t, s, "usr_1", "First", start)
	if got, err := s.Profiles.Cv(t.Context(), want.ID); err != nil || !same(got, want) {
		t.Fatalf("the created CV is %+v, %v", got, err)
	}
	want.Title, want.UpdatedAt = "Second", start.Add(time.Hour)
	got, err := s.Profiles.UpdateCv(t.Context(), profile.CvChange{Cv: profile.Cv{ID: want.ID, Title: "Second", UpdatedAt: want.UpdatedAt}, NewTitle: true})
	if err != nil || !same(got, want) {
		t.Errorf("after a change of the title: %+v, %v", got, err)
	}
	want.Content = &cv.Content{Summary: "new"}
	got, err = s.Profiles.UpdateCv(t.Context(), profile.CvChange{Cv: profile.Cv{ID: want.ID, Content: want.Content, UpdatedAt: start}, NewContent: true})
	if err != nil || !same(got, want) {
		t.Errorf("after a change of the content: %+v, %v", got, err)
	}
	if err := s.Profiles.DeleteCv(t.Context(), want.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Profiles.Cv(t.Context(), want.ID); !errors.Is(err, profile.ErrCvNotFound) {
		t.Errorf("after the deletion: %v", err)
	}
}

func TestChoiceIsMainCvThenNewestFirst(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	p := add(t, s, "usr_1", "sara")
	add(t, s, "usr_2", "omar")
	addCv(t, s, "usr_2", "foreign", start)
	older, newest, tied := addCv(t, s, "usr_1", "older", start), addCv(t, s, "usr_1", "newest", start.Add(2*time.Hour)), addCv(t, s, "usr_1", "tied", start)
	want := profile.Choice{Name: p.Name, HasPhoto: true, Drafts: []string{}, Cvs: []profile.CvReference{
		{ID: "master", Title: "Main CV", UpdatedAt: start},
		{ID: newest.ID, Title: "newest", UpdatedAt: newest.UpdatedAt},
		{ID: tied.ID, Title: "tied", UpdatedAt: start},
		{ID: older.ID, Title: "older", UpdatedAt: start},
	}}
	if got, err := s.Profiles.Choice(t.Context(), "usr_1"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	p.HasMainCv, p.AvatarURL = false, ""
	if _, err := s.Profiles.UpdateProfile(t.Context(), p, []profile.Field{profile.FieldContent, profile.FieldAvatarURL}); err != nil {
		t.Fatal(err)
	}
	want.HasPhoto, want.Cvs = false, want.Cvs[1:]
	if got, err := s.Profiles.Choice(t.Context(), "usr_1"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("without a main CV: got %+v, %v", got, err)
	}
}

func TestCvLimitIsExactUnderConcurrency(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	add(t, s, "usr_1", "sara")
	results := make([]error, profile.MaxCvs+20)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			results[i] = s.Profiles.CreateCv(context.Background(), profile.Cv{ID: id.New("cv"), PersonID: "usr_1", Title: "t", CreatedAt: start, UpdatedAt: start})
		})
	}
	wg.Wait()
	created := 0
	for _, err := range results {
		switch {
		case err == nil:
			created++
		case !errors.Is(err, profile.ErrTooManyCvs):
			t.Error(err)
		}
	}
	choice, err := s.Profiles.Choice(t.Context(), "usr_1")
	if err != nil || created != profile.MaxCvs || len(choice.Cvs) != profile.MaxCvs+1 {
		t.Fatalf("%d CVs were created and %d are listed, %v", created, len(choice.Cvs), err)
	}
	gone := choice.Cvs[1].ID
	for range 2 { // deleting the same CV twice frees only one place
		wg.Go(func() { _ = s.Profiles.DeleteCv(context.Background(), gone) })
	}
	wg.Wait()
	var counter, rows int
	if err := pool.QueryRow(t.Context(), "SELECT cv_count, (SELECT count(*) FROM cvs) FROM profiles").Scan(&counter, &rows); err != nil {
		t.Fatal(err)
	}
	if counter != rows || rows != profile.MaxCvs-1 {
		t.Errorf("the counter is %d, but there are %d rows", counter, rows)
	}
}

func TestOutageIsNotReportedAsNotFound(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	pool.Close()
	_, err := s.Sharing.Document(t.Context(), "usr_1", "master")
	if err == nil || errors.Is(err, profile.ErrProfileNotFound) {
		t.Errorf("the error is %v", err)
	}
}
