package postgres_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

func TestOneSaveOfVersionWins(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	p := add(t, s, "usr_1", "one")
	c := addCv(t, s, p.ID, "Second", start)
	_, version, err := s.Profiles.OwnCv(t.Context(), p.ID, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	const tabs = 8
	var group sync.WaitGroup
	results := make(chan error, tabs)
	for range tabs {
		group.Go(func() {
			_, err := s.Profiles.SaveCv(t.Context(), c, profile.From{Version: version})
			results <- err
		})
	}
	group.Wait()
	close(results)
	won := 0
	for err := range results {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, profile.ErrVersionConflict):
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d saves of the same version were stored, want 1", won)
	}
}

func TestVersionCountsOnlyVisibleWrites(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	p := add(t, s, "usr_1", "one")
	version := func() int64 {
		t.Helper()
		v, err := s.Profiles.ProfileVersion(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := version()
	// The version is incremented by a database trigger, not by the statement.
	if _, err := pool.Exec(t.Context(), "UPDATE profiles SET headline = 'new', updated_at = greatest(now(), updated_at) WHERE person_id = $1", p.ID); err != nil {
		t.Fatal(err)
	}
	if got := version(); got != before+1 {
		t.Errorf("after a write: version %d after %d", got, before)
	}
	addCv(t, s, p.ID, "Second", start)
	if _, err := pool.Exec(t.Context(), "UPDATE profiles SET avatar_url = '' WHERE person_id = $1", p.ID); err != nil {
		t.Fatal(err)
	}
	if got := version(); got != before+1 {
		t.Errorf("after changes to the CV count and the photo: version %d, want %d", got, before+1)
	}
}

func TestMakeMainKeepsTemplate(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	p := add(t, s, "usr_1", "one")
	chosen := addCv(t, s, p.ID, "Second", start)
	if err := s.Profiles.ChooseTemplate(t.Context(), p.ID, chosen.ID, profile.Compact); err != nil {
		t.Fatal(err)
	}
	templates := func() map[string]profile.Template {
		t.Helper()
		all, err := s.Profiles.Documents(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]profile.Template{}
		for _, d := range all {
			found[d.ID] = d.Template
		}
		return found
	}
	kept := profile.Cv{ID: id.New("cv"), PersonID: p.ID, Title: "Before", CreatedAt: start.Add(time.Hour), UpdatedAt: start.Add(time.Hour)}
	if err := s.Profiles.MakeMain(t.Context(), chosen.ID, kept, func(_, chosen *cv.Content) *cv.Content { return chosen }); err != nil {
		t.Fatal(err)
	}
	if got := templates(); got[profile.MainCvID] != profile.Compact || got[kept.ID] != profile.Classic {
		t.Errorf("the templates are %v", got)
	}
}

func TestMakeMainIsAtomic(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	p := add(t, s, "usr_1", "one")
	var last profile.Cv
	for range profile.MaxCvs {
		last = addCv(t, s, p.ID, "Second", start)
	}
	become := func(_, chosen *cv.Content) *cv.Content { return chosen }
	kept := profile.Cv{ID: id.New("cv"), PersonID: p.ID, Title: "Before", CreatedAt: start.Add(time.Hour), UpdatedAt: start.Add(time.Hour)}
	if err := s.Profiles.MakeMain(t.Context(), last.ID, kept, become); !errors.Is(err, profile.ErrTooManyCvs) {
		t.Fatalf("replacing the main CV at the CV limit: %v", err)
	}
	if now, err := s.Profiles.ProfileByID(t.Context(), p.ID); err != nil || now.Content.Summary != p.Content.Summary {
		t.Errorf("the profile has changed: %q, %v", now.Content.Summary, err)
	}
	if err := s.Profiles.DeleteOwnCv(t.Context(), "usr_2", last.ID); !errors.Is(err, profile.ErrCvNotFound) {
		t.Errorf("a different person deletes the CV: %v", err)
	}
	if err := s.Profiles.MakeMain(t.Context(), last.ID, profile.Cv{ID: id.New("cv"), PersonID: "usr_2"}, become); !errors.Is(err, profile.ErrCvNotFound) {
		t.Errorf("a different person makes the CV their main CV: %v", err)
	}
}
