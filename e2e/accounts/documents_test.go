package accounts_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestChosenTemplateIsUsedForApps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		labels                     labels
		device                     browser.Options
		main, compact, save, saved string
	}{
		"en-phone-no-script": {
			english, browser.Options{Width: 360, Height: 740, NoScript: true}, "Main CV", "Compact", "Save template", "Saved. The PDF of this CV now uses the compact template.",
		},
		"ar-desktop": {
			arabic, browser.Options{}, "السيرة الذاتية الرئيسية", "مكثّف", "حفظ القالب", "حُفظ الاختيار.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scene.Everything(t)
			before, data := s.Get(t, "/v1/me/cv.pdf"), s.Get(t, "/v1/me/cv")
			d := newDevice(t, c.labels, c.device)
			d.Open(s.Stack.AppURLs[0] + "/sign-in?return=%2Fdocuments")
			d.send(d.signIn, d.email, s.World.People[0].Email, d.password, world.Password)
			cv := d.Find("region", c.main)
			d.checkPage("documents")
			if chosen := cv.Find("radio", c.compact); chosen.Checked() {
				t.Error("the compact template is already selected")
			} else {
				chosen.Click()
			}
			cv.Find("button", c.save).Click()
			d.until(c.saved)
			if !d.Find("region", c.main).Find("radio", c.compact).Checked() {
				t.Error("the page does not show the selected template")
			}
			d.checkPage("documents, with the notice")

			after := s.Get(t, "/v1/me/cv.pdf")
			if after.Header.Get("ETag") == before.Header.Get("ETag") {
				t.Error("the app still gets the PDF in the old template")
			}
			if linked := scene.Open(t, s.Link(t)); linked.Header.Get("ETag") != after.Header.Get("ETag") {
				t.Error("the durable link and the token return different PDFs")
			}
			if a := expect.Must(partner.Get(t.Context(), s.App.BaseURL+"/v1/me/cv.pdf", s.Tokens.Access, "If-None-Match", before.Header.Get("ETag")))(t); a.Status != http.StatusOK {
				t.Errorf("with the old entity tag: %s", a)
			}
			if now := s.Get(t, "/v1/me/cv"); now.Header.Get("ETag") != data.Header.Get("ETag") {
				t.Error("the template changes the JSON data")
			}
		})
	}
}
