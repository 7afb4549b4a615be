package profile_test

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/picture"
	"vitae.internal/services/candidate/internal/profile"
)

type pictures struct{}

func (pictures) JPEG(_ context.Context, file []byte) ([]byte, error) {
	switch string(file) {
	case "unreadable":
		return nil, picture.ErrUnreadable
	case "late":
		return nil, context.DeadlineExceeded
	}
	return []byte("JPEG of " + string(file)), nil
}

// album is a store that holds a picture and records writes.
type album struct {
	empty
	written *profile.Profile
}

func (a album) CreateProfile(_ context.Context, p profile.Profile) error {
	*a.written = p
	return nil
}

func (a album) KeptPhoto(context.Context, string) ([]byte, error) { return []byte("kept"), nil }

func (a album) UpdateProfile(_ context.Context, p profile.Profile, _ []profile.Field) (profile.Profile, error) {
	*a.written = p
	return p, nil
}

func inline(file string) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(file))
}

func TestInlinePhotoIsEncodedAndStored(t *testing.T) {
	for address, want := range map[string][2]string{
		inline("a"):               {profile.KeptPhoto, "JPEG of a"},
		inline("kept"):            {profile.KeptPhoto, "kept"}, // unchanged
		"https://img.example/p.j": {"https://img.example/p.j", ""},
		"":                        {"", ""},
	} {
		a := album{written: &profile.Profile{}}
		p := valid()
		p.AvatarURL = address
		if _, err := newServiceOn(t, a).Update(t.Context(), p, []profile.Field{profile.FieldAvatarURL}); err != nil {
			t.Fatal(err)
		}
		if got := [2]string{a.written.AvatarURL, string(a.written.Photo)}; got != want {
			t.Errorf("%q is stored as %q, want %q", address, got, want)
		}
	}
	a := album{written: &profile.Profile{}}
	p := valid()
	p.AvatarURL = inline("kept")
	created, err := newServiceOn(t, a).Create(t.Context(), p)
	if err != nil || string(a.written.Photo) != "JPEG of kept" || created.PhotoAddress() != profile.InlinePhoto(a.written.Photo) {
		t.Errorf("created with %q, %v", a.written.Photo, err)
	}
}

func TestUnreadablePhotoIsInvalid(t *testing.T) {
	p := valid()
	p.AvatarURL, p.Name = inline("unreadable"), ""
	mask := []profile.Field{profile.FieldAvatarURL, profile.FieldName}
	_, created := newServiceOn(t, album{}).Create(t.Context(), p)
	_, updated := newServiceOn(t, album{}).Update(t.Context(), p, mask)
	checked := newServiceOn(t, album{}).ValidateCreate(t.Context(), p)
	for _, err := range []error{created, updated, checked} {
		if got, want := pathsOf(t, err), []string{"profile.name", "profile.avatar_url"}; !slices.Equal(got, want) {
			t.Errorf("faults of %q, want %q", got, want)
		}
	}
	p.AvatarURL = inline("late")
	if _, err := newServiceOn(t, album{}).Create(t.Context(), p); !errors.Is(err, context.DeadlineExceeded) || errs.KindOf(err) == errs.Invalid {
		t.Errorf("a picture that timed out in the queue: %v", err)
	}
}
