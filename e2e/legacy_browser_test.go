package e2e_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// olderSite is a partner's site of older days: it greets whom it is given, or says
// why it was given nobody.
func (o older) olderSite(t *testing.T) (address string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		query := r.URL.Query()
		if denied := query.Get("error"); denied != "" {
			fmt.Fprintf(w, "<h1>%s</h1>", html.EscapeString(denied))
			return
		}
		data := olderSuccess(t, must(o.app.Profile(r.Context(), o.token(t, must(o.app.Exchange(r.Context(), query.Get("code")))(t))))(t))
		fmt.Fprintf(w, `<h1>%v</h1><p>%v</p><p>%v</p>`, data["name"], data["phoneNumber"], data["profilePicture"])
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.URL + "/callback"
}

func TestBrowserJourneyThroughTheOlderInterface(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, whole string
		labels      labels
		device      browser.Options
	}{
		{"older-en-desktop", wholeProfile, english, browser.Options{}},
		{"older-ar-phone", "ملفك الشخصي كاملًا مع سيرتك الذاتية", arabic, browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dev := world.LegacyDeveloper()
			// Registered without a port, it takes any (RFC 8252 §7.3).
			dev.Apps[0].RedirectURIs = []string{"http://127.0.0.1/callback"}
			w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}}
			o := older{scene: &scene{stack: system, world: w, created: world.Import(t, system, w)}}
			o.app = o.client(t, "older")
			o.app.Redirect = o.olderSite(t)
			app, request := o.appName(t, "older"), o.app.Request()

			d := newDevice(t, c.name, c.labels, c.device)
			d.Open(o.app.Authorize(request))
			d.signInAs(w.People[0])
			d.FindWith("heading", app)
			if box := d.Find("checkbox", c.whole); !box.Checked() || !box.Disabled() {
				t.Error("the profile is not fixed on")
			}
			d.Find("checkbox", d.photo).Set(true)
			d.seen("consent")
			d.Find("button", d.allow).Click()
			d.Find("heading", "Layla Haddad")
			if !strings.Contains(d.Text(), world.Phone) || !strings.Contains(d.Text(), world.Avatar) {
				t.Errorf("the partner shows\n%s", d.Text())
			}
			if came := must(url.Parse(d.URL()))(t).Query(); came.Get("state") != request.Get("state") || len(came) != 2 {
				t.Errorf("the browser came with %v", came)
			}

			d.Open(o.stack.AppURLs[0] + "/connections")
			d.Find("region", app).Find("button", d.disconnect)
			if d.Has("combobox", d.sharedCV) || d.Has("switch", d.shareMyCV) {
				t.Error("there is a CV to choose or to switch")
			}
			d.seen("connections")
			d.Find("region", app).Find("button", d.disconnect).Click()
			d.Find("heading", fmt.Sprintf(d.disconnectQ, app))
			d.Find("button", d.yesDo).Click()
			d.Gone("button", d.yesDo)
			d.Gone("region", app)

			d.Open(o.app.Authorize(o.app.Request()))
			d.Find("button", d.cancel).Click()
			d.Find("heading", "access_denied")
		})
	}
}

func TestSigningInAgainLeadsBackToTheOlderConsentPage(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	visit := must(o.person.Open(t.Context(), o.app.Authorize(o.app.Request())))(t)
	if visit.Page == nil || !visit.Page.Has("button", person.SignInButton) || !strings.Contains(visit.Page.Text(), o.appName(t, "older")) {
		t.Fatalf("the sign-in page does not name the app: %+v", visit)
	}
	visit = must(o.person.SignIn(t.Context(), visit.Page))(t)
	if !visit.Page.Has("checkbox", wholeProfile) || !strings.Contains(visit.Page.URL.Path, "/oauth/legacy/authorize") {
		t.Errorf("the person is led to %s", visit.Page.URL)
	}
}
