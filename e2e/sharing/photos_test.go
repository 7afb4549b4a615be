package sharing_test

import (
	"bytes"
	"image/jpeg"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// photographed returns a connected person with an inline photo, and the photo's URL.
func photographed(t *testing.T) (scene.Connected, string) {
	t.Helper()
	layla := world.Full()
	layla.AvatarURL = world.InlinePhoto(t, 300)
	s := scene.New(t, layla)
	c := scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	photoURL := expect.Success(t, c.Get(t, "/v1/me"))["avatarUrl"]
	expect.Matches(t, "avatarUrl", scene.PhotoURL, photoURL)
	return c, photoURL.(string)
}

func TestPhotoEndsWithPermission(t *testing.T) {
	t.Parallel()
	c, photoURL := photographed(t)
	shared := expect.Success(t, c.Get(t, "/v1/me/cv"))["document"]
	expect.Matches(t, "the CV's avatarUrl", photoURL, shared.(map[string]any)["avatarUrl"])
	a := scene.Open(t, photoURL)
	m, err := jpeg.DecodeConfig(bytes.NewReader(a.Body))
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "image/jpeg" || err != nil || m.Width > 512 || m.Height > 512 || len(a.Body) >= 100<<10 {
		t.Fatalf("%s: %d by %d pixels in %d bytes, %v", a, m.Width, m.Height, len(a.Body), err)
	}
	if cache := a.Header.Get("Cache-Control"); !strings.Contains(cache, "private") || a.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("headers %v", a.Header)
	}
	held := expect.Must(partner.Get(t.Context(), photoURL, "", "If-None-Match", a.Header.Get("ETag")))(t)
	if held.Status != http.StatusNotModified || len(held.Body) != 0 {
		t.Errorf("a cached photo: %s", held)
	}
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	c.Tokens = next
	expect.Matches(t, "after a refresh", photoURL, expect.Success(t, c.Get(t, "/v1/me"))["avatarUrl"])

	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{})
	for _, base := range c.Stack.BaseURLs {
		expect.Refused(t, scene.Open(t, base+scene.Path(t, photoURL)), http.StatusNotFound, "PHOTO_NOT_FOUND")
	}
	expect.Matches(t, "without the photo", nil, expect.Success(t, c.Get(t, "/v1/me"))["avatarUrl"])
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	again := expect.Success(t, c.Get(t, "/v1/me"))["avatarUrl"].(string)
	if again == photoURL {
		t.Error("the revoked URL was issued again")
	}
	if a := scene.Open(t, again); a.Status != http.StatusOK {
		t.Errorf("the new URL: %s", a)
	}
}

func TestPhotoEndsWithConnection(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(scene.Connected){
		"disconnected": func(c scene.Connected) { c.Disconnect(t) },
		"refresh token revoked": func(c scene.Connected) {
			expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), c.Tokens.Refresh))(t))
		},
		"CV sharing switched off": func(c scene.Connected) { c.Share(t, false) },
	} {
		c, photoURL := photographed(t)
		if a := scene.Open(t, photoURL); a.Status != http.StatusOK {
			t.Fatalf("%s: before: %s", name, a)
		}
		end(c)
		expect.Refused(t, scene.Open(t, photoURL), http.StatusNotFound, "PHOTO_NOT_FOUND")
	}
}
