package signin_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestBrowserJourneyFromPartnerSite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		labels labels
		device browser.Options
	}{
		{"en-desktop", english, browser.Options{}},
		{"ar-phone", arabic, browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := partnerScene(t)
			d := newDevice(t, c.name, c.labels, c.device)
			site := partnerSite(t, s, "web")
			d.Open(site)
			d.checkLayout("partner-start")
			d.Find("button", "Sign in with Vitae").Click()
			d.signInAs(s.World.People[0])
			d.consent(s)
			link := d.partnerPage(s)
			d.connections(s, link)
			d.Open(site) // its next read is rejected, because the person has disconnected
			d.Find("button", "Sign in with Vitae")
			d.checkLayout("partner-signed-out")
			if strings.Contains(d.Text(), "Layla Haddad") {
				t.Error("the partner site still shows the person")
			}
		})
	}
}

// consent submits the consent page, sharing the main CV, the contact details and the photo, but not the email
// address.
func (d device) consent(s *scene.Scene) {
	d.t.Helper()
	d.FindWith("heading", s.AppName(d.t, "web"))
	profile := d.Find("checkbox", d.scopeProfile)
	if !profile.Checked() || !profile.Disabled() {
		d.t.Errorf("profile must be checked and disabled: checked %v, disabled %v", profile.Checked(), profile.Disabled())
	}
	d.FindWith("radiogroup", d.cvToShare)
	if radios := d.All("radio"); len(radios) != 2 {
		d.t.Errorf("%d radio buttons, want one for each CV", len(radios))
	}
	d.Find("button", d.cancel)
	d.checkPage("consent")
	d.Find("radio", d.mainCV).Click()
	d.Find("checkbox", d.scopeEmail).Set(false)
	d.Find("checkbox", d.scopeCV).Set(true)
	d.Find("checkbox", d.contact).Set(true)
	d.Find("checkbox", d.photo).Set(true)
	d.checkLayout("consent-filled")
	d.Find("button", d.allow).Click()
}

// partnerPage asserts what the partner's site shows, and returns the durable link.
func (d device) partnerPage(s *scene.Scene) string {
	d.t.Helper()
	d.Find("heading", "Layla Haddad")
	d.checkLayout("partner-cv")
	shown := d.Text()
	for _, want := range []string{"Lead engineer", "Careem", world.Phone, "Villa 12", "Jordanian", "profile", "cv:read", "cv:contact"} {
		if !strings.Contains(shown, want) {
			d.t.Errorf("the partner site does not show %q", want)
		}
	}
	if strings.Contains(shown, s.World.People[0].Email) {
		d.t.Error("the partner site shows the email address, which was not granted")
	}
	link := d.FindWith("link", "/v1/cv-links/").Attribute("href")
	text := expect.PDFText(d.t, scene.Open(d.t, link))
	expect.Shows(d.t, "durable link", expect.Flattened(text), true, "Layla Haddad", world.Phone)
	d.Find("link", "Open the PDF")
	return link
}

// connections turns sharing off and on again on the connected apps page, and disconnects.
func (d device) connections(s *scene.Scene, link string) {
	d.t.Helper()
	app := s.AppName(d.t, "web")
	d.Open(s.Stack.AppURLs[0] + "/connections")
	region := d.Find("region", app)
	region.Find("combobox", d.sharedCV)
	d.checkPage("connections")

	region.Find("switch", d.shareMyCV).Click()
	d.switched(app, false)
	expect.Refused(d.t, scene.Open(d.t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	d.checkLayout("connections-off")
	d.Find("region", app).Find("switch", d.shareMyCV).Click()
	d.switched(app, true)

	d.Find("region", app).Find("button", d.disconnect).Click()
	d.Find("heading", fmt.Sprintf(d.disconnectQ, app))
	d.checkPage("disconnect")
	d.Find("button", d.yesDo).Click()
	d.Gone("region", app)
	d.Gone("button", d.yesDo)
	d.checkPage("connections-none")
}
