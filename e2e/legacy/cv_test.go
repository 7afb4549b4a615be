package legacy_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestOlderCVOpensAndDiesWithTheConnection(t *testing.T) {
	t.Parallel()
	o, got := shown(t, world.Full(), person.Choice{})
	link := got["cvUrl"].(string)
	a := scene.Open(t, link)
	if a.Header.Get("Content-Type") != "application/pdf" {
		t.Errorf("%s opens %v", link, a.Header)
	}
	text := expect.PDFText(t, a)
	if !strings.Contains(text, "Layla Haddad") || strings.Contains(text, world.Address) || strings.Contains(text, "Golden visa") {
		t.Errorf("the CV reads\n%s", text)
	}
	if err := o.Person.Disconnect(t.Context(), o.Stack.AppURLs[0], o.AppName(t, "older")); err != nil {
		t.Fatal(err)
	}
	for _, u := range o.Stack.BaseURLs {
		expect.Refused(t, expect.Must(partner.Get(t.Context(), u+scene.Path(t, link), ""))(t), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	}
}

func TestOlderCVDiesWithTheLastTokenThatIsRevoked(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	first, last := o.Connect(t, person.Choice{}), o.Connect(t, person.Choice{})
	link := expect.LegacySuccess(t, expect.Must(o.App.Profile(t.Context(), first))(t))["cvUrl"].(string)
	expect.LegacySuccess(t, expect.Must(o.App.Profile(t.Context(), last))(t))
	revoke := func(token string) {
		t.Helper()
		if a := expect.Must(o.App.Revoke(t.Context(), token))(t); a.Status != http.StatusOK {
			t.Fatal(a)
		}
	}
	revoke(first)
	if a := scene.Open(t, link); a.Status != http.StatusOK {
		t.Fatalf("a token still lives: %s", a)
	}
	revoke(last)
	for _, u := range o.Stack.BaseURLs {
		expect.Refused(t, expect.Must(partner.Get(t.Context(), u+scene.Path(t, link), ""))(t), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	}
	renewed := expect.LegacySuccess(t, expect.Must(o.App.Profile(t.Context(), o.Connect(t, person.Choice{})))(t))["cvUrl"].(string)
	if renewed == link {
		t.Error("the dead link was given out again")
	} else if a := scene.Open(t, renewed); a.Status != http.StatusOK {
		t.Errorf("the new link: %s", a)
	}
}

func TestOlderCVShowsThePhotoOnlyWhileItIsShared(t *testing.T) {
	t.Parallel()
	who := world.Full()
	who.AvatarURL = world.InlinePhoto(t, 64)
	o, got := shown(t, who, person.Choice{Photo: true})
	link := got["cvUrl"].(string)
	pictured := func() bool {
		return strings.Contains(expect.Poppler(t, scene.Open(t, link).Body, "pdfimages", "-list", "FILE"), "jpeg")
	}
	expect.Matches(t, "profilePicture", scene.PhotoAddress, got["profilePicture"])
	photo := got["profilePicture"].(string)
	if a := scene.Open(t, photo); a.Status != http.StatusOK || a.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the photo that is shared: %s", a)
	}
	if !pictured() {
		t.Error("the CV does not show the photo that is shared")
	}
	o.Connect(t, person.Choice{})
	if pictured() {
		t.Error("the CV shows a photo that is not shared any more")
	}
	expect.Refused(t, scene.Open(t, photo), http.StatusNotFound, "PHOTO_NOT_FOUND")
}
