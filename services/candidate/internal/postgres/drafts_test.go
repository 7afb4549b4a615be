package postgres_test

import (
	"errors"
	"slices"
	"testing"

	"vitae.internal/services/candidate/internal/profile"
)

// behaviour: profiles#autosave
func TestDraftOfOtherTabIsNotReplaced(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	p := add(t, s, "usr_1", "one")
	c := addCv(t, s, p.ID, "Second", start)
	_, version, err := s.Profiles.OwnCv(t.Context(), p.ID, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	draft := profile.Draft{PersonID: p.ID, Document: c.ID, Form: "a=1", Version: version, SavedAt: start}
	first, err := s.Profiles.SaveDraft(t.Context(), draft)
	if err != nil || first == 0 {
		t.Fatalf("the first draft has revision %d, %v", first, err)
	}
	for what, try := range map[string]func() error{
		"an outdated draft": func() error { _, err := s.Profiles.SaveDraft(t.Context(), draft); return err },
		"an outdated save":  func() error { _, err := s.Profiles.SaveCv(t.Context(), c, profile.From{Version: version}); return err },
		"a draft of an older version": func() error {
			old := draft
			old.Version, old.Revision = version-1, first
			_, err := s.Profiles.SaveDraft(t.Context(), old)
			return err
		},
	} {
		if err := try(); !errors.Is(err, profile.ErrVersionConflict) {
			t.Errorf("%s: %v", what, err)
		}
	}
	draft.Form, draft.Revision = "a=2", first
	second, err := s.Profiles.SaveDraft(t.Context(), draft)
	if err != nil || second == first {
		t.Fatalf("the second draft has revision %d after %d, %v", second, first, err)
	}
	if err := s.Profiles.DropDraft(t.Context(), draft); err != nil {
		t.Fatal(err)
	}
	if kept, err := s.Profiles.Draft(t.Context(), p.ID, c.ID); err != nil || kept.Form != "a=2" || kept.Revision != second {
		t.Errorf("discarding an older draft leaves %+v, %v", kept, err)
	}
	if _, err := s.Profiles.SaveCv(t.Context(), c, profile.From{Version: version, Draft: second}); err != nil {
		t.Fatal(err)
	}
	if kept, err := s.Profiles.Draft(t.Context(), p.ID, c.ID); err != nil || kept.Revision != 0 {
		t.Errorf("the draft after the save: %+v, %v", kept, err)
	}
}

func TestDraftsAreDeletedWithDocument(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	p := add(t, s, "usr_1", "one")
	c := addCv(t, s, p.ID, "Second", start)
	for _, document := range []string{profile.MainCvID, c.ID} {
		if _, err := s.Profiles.SaveDraft(t.Context(), profile.Draft{PersonID: p.ID, Document: document, Form: "a=1", Version: 1, SavedAt: start}); err != nil {
			t.Fatal(err)
		}
	}
	if listed, err := s.Profiles.Choice(t.Context(), p.ID); err != nil || len(listed.Drafts) != 2 || !slices.Contains(listed.Drafts, profile.MainCvID) || !slices.Contains(listed.Drafts, c.ID) {
		t.Errorf("the list of CVs contains drafts of the documents %v, %v", listed.Drafts, err)
	}
	count := func() int {
		t.Helper()
		all, err := s.Profiles.DraftsOf(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	// A draft does not contain the photo, so changing the photo does not make it outdated.
	saved, err := s.Profiles.SaveProfile(t.Context(), p, []profile.Field{profile.FieldAvatarURL}, profile.From{})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := s.Profiles.Draft(t.Context(), p.ID, profile.MainCvID); err != nil || d.Version != saved {
		t.Errorf("after a change of the photo: the draft has version %d, the profile %d, %v", d.Version, saved, err)
	}
	if err := s.Profiles.DeleteOwnCv(t.Context(), p.ID, c.ID); err != nil || count() != 1 {
		t.Errorf("after the CV was deleted: %d drafts, %v", count(), err)
	}
	if err := s.PersonData.EraseProfile(t.Context(), p.ID); err != nil || count() != 0 {
		t.Errorf("after the person was deleted: %d drafts, %v", count(), err)
	}
}
