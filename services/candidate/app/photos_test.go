package app_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"

	"vitae.internal/pkg/picture"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// inlinePhoto returns a square picture as a data URL. Its pixels are random, so it cannot be
// compressed.
func inlinePhoto(t testing.TB, side int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, side, side))
	source := rand.New(rand.NewPCG(1, uint64(side)))
	for i := range m.Pix {
		m.Pix[i] = uint8(source.Uint32()) | uint8(i&3/3*255) // opaque
	}
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(out.Bytes())
}

func (r *running) photo(personID string) (*candidatev1.GetPhotoResponse, error) {
	return candidatev1.NewPhotoServiceClient(r.dial("gateway")).GetPhoto(r.t.Context(), &candidatev1.GetPhotoRequest{PersonId: personID})
}

func TestInlinePhotoIsStoredAsSmallPicture(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := full("usr_1")
	p.AvatarUrl = inlinePhoto(t, 390)
	created := r.create(p)
	got, err := r.photo("usr_1")
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(got.GetJpeg()))
	if err != nil || m.Bounds().Dx() != 390 || len(got.GetJpeg()) >= picture.MaxBytes {
		t.Fatalf("the picture has %d bytes, %v", len(got.GetJpeg()), err)
	}
	ours := "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(got.GetJpeg())
	read, err := r.internal.GetProfile(t.Context(), &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: "usr_1"}})
	if err != nil {
		t.Fatal(err)
	}
	page, err := r.pages.GetPublicProfile(t.Context(), &candidatev1.GetPublicProfileRequest{Username: "sara"})
	if err != nil {
		t.Fatal(err)
	}
	for where, address := range map[string]string{
		"the response to the creation": created.GetAvatarUrl(), "the profile": read.GetProfile().GetAvatarUrl(),
		"the public page": page.GetUser().GetAvatarUrl().GetValue(), "the public CV": page.GetCv().GetDocument().GetAvatarUrl().GetValue(),
	} {
		if address != ours {
			t.Errorf("%s contains %.60q, %d characters long", where, address, len(address))
		}
	}
	// Writing a profile back unchanged has no effect.
	r.update(&candidatev1.Profile{PersonId: "usr_1", AvatarUrl: ours}, "avatar_url")
	if again, err := r.photo("usr_1"); err != nil || !bytes.Equal(again.GetJpeg(), got.GetJpeg()) {
		t.Errorf("writing the profile back changed the picture: %v", err)
	}
}

func TestAppsGetOnlySignedPhotoURLs(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := full("usr_1")
	r.create(p)
	reader := consent("usr_1", "master", "profile", "cv:read")
	reader.SharePhoto = true
	for _, stored := range []string{inlinePhoto(t, 20), "https://elsewhere.example/p.jpg", ""} {
		r.update(&candidatev1.Profile{PersonId: "usr_1", AvatarUrl: stored}, "avatar_url")
		want := ""
		if stored != "" {
			want = reader.GetPhotoUrl()
		}
		me, err := r.getMe(reader)
		if err != nil || me.GetAvatarUrl().GetValue() != want {
			t.Errorf("the user has %q, %v", me.GetAvatarUrl().GetValue(), err)
		}
		shared, err := r.getSharedCv(reader)
		if err != nil || shared.GetDocument().GetAvatarUrl().GetValue() != want {
			t.Errorf("the CV has %q, %v", shared.GetDocument().GetAvatarUrl().GetValue(), err)
		}
	}
}

func TestPhotoFollowsProfile(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := bare("usr_1")
	p.AvatarUrl = inlinePhoto(t, 30)
	r.create(p)
	first, err := r.photo("usr_1")
	if err != nil {
		t.Fatal(err)
	}
	r.update(&candidatev1.Profile{PersonId: "usr_1", Name: "Noor"}, "name")
	if got, err := r.photo("usr_1"); err != nil || !bytes.Equal(got.GetJpeg(), first.GetJpeg()) {
		t.Errorf("updating another field changed the photo: %v", err)
	}
	r.update(&candidatev1.Profile{PersonId: "usr_1", AvatarUrl: inlinePhoto(t, 31)}, "avatar_url")
	if got, err := r.photo("usr_1"); err != nil || bytes.Equal(got.GetJpeg(), first.GetJpeg()) {
		t.Errorf("the photo was not replaced: %v", err)
	}
	r.update(&candidatev1.Profile{PersonId: "usr_1", AvatarUrl: "https://elsewhere.example/p.jpg"}, "avatar_url")
	if got, err := r.photo("usr_1"); err != nil || got.GetAddress() != "https://elsewhere.example/p.jpg" || got.GetJpeg() != nil {
		t.Errorf("after the photo was removed: %v, %v", got, err)
	}
	r.update(&candidatev1.Profile{PersonId: "usr_1"}, "avatar_url")
	for _, nobody := range []string{"usr_1", "usr_9", "a\x00b"} {
		_, err := r.photo(nobody)
		wantCode(t, err, "PHOTO_NOT_FOUND")
	}
}
