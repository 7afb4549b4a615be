package signin_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// Browsers apply the Content-Security-Policy of the consent page to all redirects after its form,
// including redirects by the callback. (behaviour: pages#security-headers)
func TestCallbackMayRedirectAnywhere(t *testing.T) {
	t.Parallel()
	const ownApp = "com.example.acme:/done"
	loopback := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>App</title><h1>Welcome back</h1>")
	}))
	t.Cleanup(loopback.Close)
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next := map[string]string{"/to-app": ownApp, "/to-loopback": loopback.URL + "/"}[r.URL.Path]
		http.Redirect(w, r, next+"?"+r.URL.RawQuery, http.StatusFound)
	}))
	t.Cleanup(site.Close)
	dev := world.OneDeveloper()
	dev.Apps[1].RedirectURIs = []string{ownApp, "http://127.0.0.1/done", site.URL + "/to-app", site.URL + "/to-loopback"}
	s := scene.Of(t, suite.System, world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}})
	d := newDevice(t, "callbacks", english, browser.Options{AnyCertificate: true})
	gone := d.Goes(ownApp)
	app := s.Client(t, "mobile")
	for i, redirect := range []string{ownApp, site.URL + "/to-app", loopback.URL + "/done", site.URL + "/to-loopback"} {
		app.Redirect = redirect
		r := app.NewRequest("profile")
		d.Open(app.URL(r) + "&prompt=consent") // always shows the full consent page
		if i == 0 {
			d.signInAs(s.World.People[0])
		}
		d.Find("button", d.allow).Click()
		var back string
		if i < 2 {
			d.Until("the browser opens the app", func() bool {
				select {
				case back = <-gone:
				default:
				}
				return back != ""
			})
		} else {
			d.Find("heading", "Welcome back")
			back = d.URL()
		}
		code := expect.Must(url.Parse(back))(t).Query().Get("code")
		if a := expect.Must(app.Exchange(t.Context(), code, r.Verifier))(t); a.Status != http.StatusOK {
			t.Errorf("%s: the app was opened with %s: %s", redirect, back, a)
		}
	}
}

func TestReturningPersonContinuesInOneClick(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	c := scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{CV: "السيرة الذاتية", Photo: true})
	before, link := expect.Success(t, c.Get(t, "/v1/me")), c.Link(t)

	first, again := c.Tokens, person.Choice{Continue: true}
	for requested, granted := range map[string]string{world.EveryScope: world.EveryScope, "profile": "profile"} {
		c.Tokens = scene.Connect(t, c.App, c.Person, requested, again)
		if c.Tokens.Scope != granted {
			t.Errorf("%s: granted %q", requested, c.Tokens.Scope)
		}
	}
	c.Tokens = first // still has all scopes
	expect.Matches(t, "/v1/me", before, expect.Success(t, c.Get(t, "/v1/me")))
	if c.Link(t) != link {
		t.Error("the durable link changed")
	}

	// A declined scope is not requested again.
	profile := s.Client(t, "other")
	scene.Connect(t, profile, c.Person, "profile email", person.Choice{Drop: []string{"email"}})
	if got := scene.Connect(t, profile, c.Person, "profile email", again).Scope; got != "profile" {
		t.Errorf("without the email address: granted %q", got)
	}

	// A withdrawn scope stays withdrawn, but the app can request the full page.
	if err := c.Person.Share(t.Context(), s.Stack.AppURLs[0], s.AppName(t, "web"), false); err != nil {
		t.Fatal(err)
	}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, again)
	if c.Tokens.Scope != "profile email" {
		t.Errorf("without the CV: granted %q", c.Tokens.Scope)
	}
	whole := expect.Must(c.Person.Open(t.Context(), c.App.URL(c.App.NewRequest(world.EveryScope))+"&prompt=consent"))(t)
	if whole.Page == nil || !whole.Page.Has("button", person.Allow) {
		t.Errorf("prompt=consent shows %+v", whole)
	}
	expect.Must(c.Person.Consent(t.Context(), whole, person.Choice{}))(t)
	if a := c.Get(t, "/v1/me/cv"); a.Status != http.StatusForbidden { // the token is from before the consent
		t.Errorf("the CV: %s", a)
	}
}
