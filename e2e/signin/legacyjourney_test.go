package signin_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// legacySite runs a partner's site that uses the legacy interface. It shows the profile, or the error
// from the redirect. legacySite returns the site's redirect URI.
func legacySite(t *testing.T, o scene.Legacy) (address string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		query := r.URL.Query()
		if denied := query.Get("error"); denied != "" {
			fmt.Fprintf(w, "<h1>%s</h1>", html.EscapeString(denied))
			return
		}
		data := expect.LegacySuccess(t, expect.Must(o.App.Profile(r.Context(), o.Token(t, expect.Must(o.App.Exchange(r.Context(), query.Get("code")))(t))))(t))
		fmt.Fprintf(w, `<h1>%v</h1><p>%v</p><p>%v</p>`, data["name"], data["phoneNumber"], data["profilePicture"])
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.URL + "/callback"
}

func TestBrowserJourneyOnLegacyInterface(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, whole string
		labels      labels
		device      browser.Options
	}{
		{"older-en-desktop", person.WholeProfile, english, browser.Options{}},
		{"older-ar-phone", "ملفك الشخصي كاملًا مع سيرتك الذاتية", arabic, browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dev := world.LegacyDeveloper()
			// A loopback redirect URI registered without a port matches any port (RFC 8252 §7.3).
			dev.Apps[0].RedirectURIs = []string{"http://127.0.0.1/callback"}
			w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}}
			o := scene.Legacy{Scene: scene.Of(t, suite.System, w)}
			o.App = o.LegacyClient(t, "older")
			o.App.Redirect = legacySite(t, o)
			app, request := o.AppName(t, "older"), o.App.Request()

			d := newDevice(t, c.name, c.labels, c.device)
			d.Open(o.App.Authorize(request))
			d.signInAs(w.People[0])
			d.FindWith("heading", app)
			if box := d.Find("checkbox", c.whole); !box.Checked() || !box.Disabled() {
				t.Error("the profile must be checked and disabled")
			}
			d.Find("checkbox", d.photo).Set(true)
			d.checkPage("consent")
			d.Find("button", d.allow).Click()
			d.Find("heading", "Layla Haddad")
			if !strings.Contains(d.Text(), world.Phone) || !strings.Contains(d.Text(), "/v1/photos/") {
				t.Errorf("the partner shows\n%s", d.Text())
			}
			if came := expect.Must(url.Parse(d.URL()))(t).Query(); came.Get("state") != request.Get("state") || len(came) != 2 {
				t.Errorf("the redirect has the query %v", came)
			}

			d.Open(o.Stack.AppURLs[0] + "/connections")
			d.Find("region", app).Find("button", d.disconnect)
			if d.Has("combobox", d.sharedCV) || d.Has("switch", d.shareMyCV) {
				t.Error("the page has a select or a switch for the CV")
			}
			d.checkPage("connections")
			d.Find("region", app).Find("button", d.disconnect).Click()
			d.Find("heading", fmt.Sprintf(d.disconnectQ, app))
			d.Find("button", d.yesDo).Click()
			d.Gone("button", d.yesDo)
			d.Gone("region", app)

			d.Open(o.App.Authorize(o.App.Request()))
			d.Find("button", d.cancel).Click()
			d.Find("heading", "access_denied")
		})
	}
}
