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

func TestAPersonWhoCancelsSendsTheAppAccessDenied(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	request := app.NewRequest(world.EveryScope)
	back := expect.Must(s.NewPerson(t, "layla").Authorize(t.Context(), app.URL(request), person.Choice{Cancel: true}))(t).Query()
	if back.Get("error") != "access_denied" || back.Get("state") != request.State || back.Get("iss") != scene.Issuer() || back.Has("code") {
		t.Errorf("the app was sent %v", back)
	}
}

func TestAppsThatDoNotAskForTheProfileCanBeAllowed(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	for _, c := range []struct {
		asked, given string
		me, cv       int
	}{
		{"email", "email", http.StatusForbidden, http.StatusForbidden},
		{"cv:read email", "email cv:read", http.StatusForbidden, http.StatusOK},
	} {
		on := scene.Connected{Scene: s, App: app, Person: s.NewPerson(t, "layla")}
		on.Tokens = scene.Connect(t, app, on.Person, c.asked, person.Choice{})
		if on.Tokens.Scope != c.given {
			t.Errorf("%s: granted %q, want %q", c.asked, on.Tokens.Scope, c.given)
		}
		for path, status := range map[string]int{"/v1/me": c.me, "/v1/me/cv": c.cv} {
			if a := on.Get(t, path); a.Status != status {
				t.Errorf("%s: %s: %s, want status %d", c.asked, path, a, status)
			}
		}
	}
}

func TestAllowingNothingKeepsThePersonOnThePage(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	p := s.NewPerson(t, "layla")
	visit := expect.Must(p.Open(t.Context(), app.URL(app.NewRequest("email"))))(t)
	visit = expect.Must(p.SignIn(t.Context(), visit.Page))(t)
	visit = expect.Must(p.Consent(t.Context(), visit, person.Choice{Drop: []string{"email"}}))(t)
	if visit.Outside != nil || visit.Status != http.StatusUnprocessableEntity || !visit.Page.Has("button", person.Allow) {
		t.Errorf("status %d, outside %v", visit.Status, visit.Outside)
	}
}

func TestAllowAgainChangesNothing(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	c := scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{CV: "السيرة الذاتية", Photo: true, Drop: []string{"email"}})
	before, beforeCV := expect.Success(t, c.Get(t, "/v1/me")), expect.Success(t, c.Get(t, "/v1/me/cv"))

	r := c.App.NewRequest(world.EveryScope)
	visit := expect.Must(c.Person.Open(t.Context(), c.App.URL(r)+"&prompt=consent"))(t)
	button := expect.Must(visit.Page.One("button", person.Allow))(t)
	visit = expect.Must(c.Person.Press(t.Context(), expect.Must(visit.Page.FormOf(button))(t), button))(t)
	if visit.Outside == nil {
		t.Fatalf("status %d: %s", visit.Status, visit.Page.Text())
	}
	answer := expect.Must(c.App.Exchange(t.Context(), visit.Outside.Query().Get("code"), r.Verifier))(t)
	c.Tokens = expect.Must(answer.Tokens())(t)
	if want := "profile cv:read cv:contact"; c.Tokens.Scope != want {
		t.Errorf("granted %q, want %q", c.Tokens.Scope, want)
	}
	expect.Matches(t, "/v1/me", before, expect.Success(t, c.Get(t, "/v1/me")))
	expect.Matches(t, "/v1/me/cv", beforeCV, expect.Success(t, c.Get(t, "/v1/me/cv")))
}

func TestContactDetailsCannotBeGrantedWithoutTheCV(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app, layla := s.Client(t, "web"), s.NewPerson(t, "layla")
	target := app.URL(app.NewRequest(world.EveryScope))
	signIn := expect.Must(layla.Open(t.Context(), target))(t)
	asked := expect.Must(layla.SignIn(t.Context(), signIn.Page))(t)
	visit := expect.Must(layla.Consent(t.Context(), asked, person.Choice{Drop: []string{"cv:read"}}))(t)
	if visit.Outside != nil || !visit.Page.Has("button", person.Allow) {
		t.Fatalf("the page goes on to %v", visit.Outside)
	}
	// The corrected choice is accepted.
	visit = expect.Must(layla.Consent(t.Context(), visit, person.Choice{Drop: []string{"cv:read", "cv:contact"}}))(t)
	if visit.Outside == nil || visit.Outside.Query().Get("code") == "" {
		t.Errorf("the corrected choice is refused: %s", visit.Page.Text())
	}
}

func TestConsentingAgainUpdatesTheConnection(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	before := expect.At(expect.Success(t, c.Get(t, "/v1/me")), "connection").(map[string]any)
	c.Tokens = scene.Connect(t, c.App, c.Person, "profile cv:read", person.Choice{CV: "السيرة الذاتية"})
	after := expect.At(expect.Success(t, c.Get(t, "/v1/me")), "connection").(map[string]any)
	if after["id"] != before["id"] || after["createdAt"] != before["createdAt"] {
		t.Errorf("connection %v, was %v", after, before)
	}
	expect.Matches(t, "scopes", []any{"profile", "cv:read"}, after["scopes"])
	if title := expect.At(after, "cv", "title"); title != "السيرة الذاتية" {
		t.Errorf("the shared CV is %v", title)
	}
}

// What a callback answers is the last redirect of the consent's form, to which a browser holds the policy
// of the consent page. (behaviour: pages#security-headers)
func TestACallbackMayLeadAnywhere(t *testing.T) {
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
		d.Open(app.URL(r) + "&prompt=consent") // the page with the largest form, each time
		if i == 0 {
			d.signInAs(s.World.People[0])
		}
		d.Find("button", d.allow).Click()
		var back string
		if i < 2 {
			d.Until("the app is opened", func() bool {
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

func TestComingBackTakesOneContinue(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	c := scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{CV: "السيرة الذاتية", Photo: true})
	before, link := expect.Success(t, c.Get(t, "/v1/me")), c.Link(t)

	first, again := c.Tokens, person.Choice{Continue: true}
	for asked, given := range map[string]string{world.EveryScope: world.EveryScope, "profile": "profile"} {
		c.Tokens = scene.Connect(t, c.App, c.Person, asked, again)
		if c.Tokens.Scope != given {
			t.Errorf("%s: granted %q", asked, c.Tokens.Scope)
		}
	}
	c.Tokens = first // which sees all that it saw
	expect.Matches(t, "/v1/me", before, expect.Success(t, c.Get(t, "/v1/me")))
	if c.Link(t) != link {
		t.Error("the durable link is another one")
	}

	// Nor is it new what the person left out.
	profile := s.Client(t, "other")
	scene.Connect(t, profile, c.Person, "profile email", person.Choice{Drop: []string{"email"}})
	if got := scene.Connect(t, profile, c.Person, "profile email", again).Scope; got != "profile" {
		t.Errorf("without the email address: granted %q", got)
	}

	// Taken back stays taken back, the app can have the whole page shown, and after a pause it is.
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
	if a := c.Get(t, "/v1/me/cv"); a.Status != http.StatusForbidden { // its token is from before
		t.Errorf("the CV: %s", a)
	}
}
