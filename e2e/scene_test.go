package e2e_test

import (
	"net/http"
	"net/url"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// scene is the world of one test: people and apps that no other test knows.
type scene struct {
	stack   *stack.Stack
	world   world.World
	created world.Created
}

// newScene imports the people, by default the one of world.Full, the account of
// world.OneDeveloper and that of world.OtherDeveloper.
func newScene(t testing.TB, people ...world.Person) *scene {
	t.Helper()
	return sceneOn(t, system, people...)
}

func sceneOn(t testing.TB, on *stack.Stack, people ...world.Person) *scene {
	t.Helper()
	if len(people) == 0 {
		people = []world.Person{world.Full()}
	}
	w := world.World{People: people, Developers: []world.Developer{world.OneDeveloper(), world.OtherDeveloper()}}
	return &scene{stack: on, world: w, created: world.Import(t, on, w)}
}

// person is the one with the ref, in a new browser.
func (s *scene) person(t testing.TB, ref string) *person.Person {
	t.Helper()
	for _, p := range s.world.People {
		if p.Ref == ref {
			return person.New(p.Email, p.Password)
		}
	}
	t.Fatalf("no person %q", ref)
	return nil
}

// app is the app with the ref, at the first replica.
func (s *scene) app(t testing.TB, ref string) partner.Client {
	t.Helper()
	created, ok := s.created.Apps[ref]
	if !ok {
		t.Fatalf("no app %q", ref)
	}
	c := partner.Client{BaseURL: s.stack.BaseURLs[0], ID: created.ClientID, Secret: created.ClientSecret, Redirect: world.Redirect}
	if created.ClientSecret == "" {
		c.Method = partner.Public
	}
	return c
}

// appName is the app's name on the pages.
func (s *scene) appName(t testing.TB, ref string) string {
	t.Helper()
	for _, d := range s.world.Developers {
		for _, a := range d.Apps {
			if a.Ref == ref {
				return a.Name
			}
		}
	}
	t.Fatalf("no app %q", ref)
	return ""
}

// replicas are the app at every replica of the edge.
func (s *scene) replicas(c partner.Client) []partner.Client {
	var all []partner.Client
	for _, u := range s.stack.BaseURLs {
		all = append(all, c.At(u))
	}
	return all
}

// code has the person allow a request, and gives the code.
func code(t testing.TB, c partner.Client, p *person.Person, r partner.Request, choice person.Choice) string {
	t.Helper()
	back := must(p.Authorize(t.Context(), c.URL(r), choice))(t)
	got := back.Query()
	if got.Get("code") == "" || got.Get("state") != r.State || got.Get("iss") != issuer() {
		t.Fatalf("the browser came back with %s; want a code, state %q and iss %q", back, r.State, issuer())
	}
	return got.Get("code")
}

func issuer() string { return system.BaseURLs[0] }

// connect goes the whole way from the consent to the tokens.
func connect(t testing.TB, c partner.Client, p *person.Person, scope string, choice person.Choice) partner.Tokens {
	t.Helper()
	r := c.NewRequest(scope)
	answer := must(c.Exchange(t.Context(), code(t, c, p, r, choice), r.Verifier))(t)
	return must(answer.Tokens())(t)
}

const allScopes = "profile email cv:read cv:contact"

// connected is a person who has connected an app.
type connected struct {
	*scene
	app    partner.Client
	person *person.Person
	tokens partner.Tokens
}

// everything connects the person of world.Full to the confidential app with every
// scope and the photo.
func everything(t testing.TB) connected {
	t.Helper()
	s := newScene(t)
	c := connected{scene: s, app: s.app(t, "web"), person: s.person(t, "layla")}
	c.tokens = connect(t, c.app, c.person, allScopes, person.Choice{Photo: true})
	return c
}

// get reads a path with the access token at the first replica.
func (c connected) get(t testing.TB, path string, headers ...string) partner.Answer {
	t.Helper()
	return must(c.app.Get(t.Context(), path, c.tokens.Access, headers...))(t)
}

// link is the durable link that the CV names.
func (c connected) link(t testing.TB) string {
	t.Helper()
	data := success(t, c.get(t, "/v1/me/cv"))
	link, _ := at(data, "pdf", "url").(string)
	if _, err := url.Parse(link); link == "" || err != nil {
		t.Fatalf("no durable link in %v", data["pdf"])
	}
	return link
}

// open opens an address without any credential.
func open(t testing.TB, target string) partner.Answer {
	t.Helper()
	return must(partner.Get(t.Context(), target, ""))(t)
}

// alive asserts that the access token opens /v1/me at every replica.
func (c connected) alive(t testing.TB, access string) {
	t.Helper()
	for _, at := range c.replicas(c.app) {
		if a := must(at.Get(t.Context(), "/v1/me", access))(t); a.Status != http.StatusOK {
			t.Errorf("%s: the access token should live: %s", at.BaseURL, a)
		}
	}
}

// dead asserts that the access token opens nothing at any replica, and that
// introspection knows it no more.
func (c connected) dead(t testing.TB, access string) {
	t.Helper()
	for _, at := range c.replicas(c.app) {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			refused(t, must(at.Get(t.Context(), path, access))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
		}
		inactive(t, must(at.Introspect(t.Context(), access))(t))
	}
}

// refreshDead asserts that the refresh token gives nothing at any replica.
func (c connected) refreshDead(t testing.TB, refresh string) {
	t.Helper()
	for _, at := range c.replicas(c.app) {
		inactive(t, must(at.Introspect(t.Context(), refresh))(t))
		flatRefused(t, must(at.Refresh(t.Context(), refresh, ""))(t), http.StatusBadRequest, "invalid_grant")
	}
}
