package signin_test

import (
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestBrowserShowsPublicPagesAndFaultsInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		labels labels
		device browser.Options
	}{
		{"en-desktop", english, browser.Options{}},
		{"ar-desktop", arabic, browser.Options{}},
		{"en-phone", english, browser.Options{Width: 360, Height: 740, NoScript: true}},
		{"ar-phone", arabic, browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := scene.New(t)
			d := newDevice(t, c.name, c.labels, c.device)
			base := s.Stack.AppURLs[0]
			d.Open(base + "/")
			d.seen("home")
			d.Open(base + "/connections")
			d.Find("textbox", d.email).Fill("nobody-" + world.Unique() + "@example.com")
			d.Find("textbox", d.password).Fill("not the password")
			d.Find("button", d.signIn).Click()
			d.Find("alert", "")
			d.seen("sign-in-failed")
			d.Open(base + "/p/" + s.World.People[0].Username)
			d.Find("heading", "Layla Haddad")
			d.seen("public-profile")
			d.Open(base + "/p/" + s.World.People[0].Username + "/cv")
			d.FindWith("heading", "Layla Haddad")
			d.seen("public-cv")
			pdf := expect.PDFText(t, scene.Open(t, base+d.Find("link", d.downloadPDF).Attribute("href")))
			expect.Shows(t, "public PDF", expect.Flattened(pdf), true, "Layla Haddad", "Careem")
			expect.Shows(t, "public PDF", expect.Flattened(pdf), false, world.Phone, s.World.People[0].Email)
			d.Open(base + "/nothing-here")
			d.seen("not-found")
			d.Open(s.Stack.BaseURLs[0] + "/oauth/authorize?client_id=unknown") // the address that discovery names
			d.seen("unknown-app")
		})
	}
}
