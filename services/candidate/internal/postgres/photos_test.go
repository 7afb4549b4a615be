package postgres_test

import (
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/profile"
)

func TestPhotoIsStoredWithProfileAtomically(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	add(t, s, "usr_1", "sara")
	if err := s.Profiles.CreateProfile(t.Context(), full("usr_2", "sara")); !errs.HasCode(err, "USERNAME_TAKEN") {
		t.Fatal(err)
	}
	renamed := full("usr_9", "noor")
	if _, err := s.Profiles.UpdateProfile(t.Context(), renamed, []profile.Field{profile.FieldAvatarURL}); !errs.HasCode(err, "PROFILE_NOT_FOUND") {
		t.Fatal(err)
	}
	var owners []string
	if err := pool.QueryRow(t.Context(), `SELECT array_agg(person_id) FROM photos`).Scan(&owners); err != nil || len(owners) != 1 {
		t.Errorf("pictures are stored for %q, %v", owners, err)
	}
	cleared := profile.Profile{Person: profile.Person{ID: "usr_1"}}
	if _, err := s.Profiles.UpdateProfile(t.Context(), cleared, []profile.Field{profile.FieldAvatarURL}); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM photos`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d pictures remain after the photo was removed, %v", left, err)
	}
}
