package e2e_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/person"
)

func TestAppsThatDoNotAskForTheProfileCanBeAllowed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	for _, c := range []struct {
		asked, given string
		me, cv       int
	}{
		{"email", "email", http.StatusForbidden, http.StatusForbidden},
		{"cv:read email", "email cv:read", http.StatusForbidden, http.StatusOK},
	} {
		on := connected{scene: s, app: app, person: s.person(t, "layla")}
		on.tokens = connect(t, app, on.person, c.asked, person.Choice{})
		if on.tokens.Scope != c.given {
			t.Errorf("%s: granted %q, want %q", c.asked, on.tokens.Scope, c.given)
		}
		for path, status := range map[string]int{"/v1/me": c.me, "/v1/me/cv": c.cv} {
			if a := on.get(t, path); a.Status != status {
				t.Errorf("%s: %s: %s, want status %d", c.asked, path, a, status)
			}
		}
	}
}

func TestAllowingNothingKeepsThePersonOnThePage(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	p := s.person(t, "layla")
	visit := must(p.Open(t.Context(), app.URL(app.NewRequest("email"))))(t)
	visit = must(p.SignIn(t.Context(), visit.Page))(t)
	visit = must(p.Consent(t.Context(), visit, person.Choice{Drop: []string{"email"}}))(t)
	if visit.Outside != nil || visit.Status != http.StatusUnprocessableEntity || !visit.Page.Has("button", person.Allow) {
		t.Errorf("status %d, outside %v", visit.Status, visit.Outside)
	}
}

func TestAllowAgainChangesNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c := connected{scene: s, app: s.app(t, "web"), person: s.person(t, "layla")}
	c.tokens = connect(t, c.app, c.person, allScopes, person.Choice{CV: "السيرة الذاتية", Photo: true, Drop: []string{"email"}})
	before, beforeCV := success(t, c.get(t, "/v1/me")), success(t, c.get(t, "/v1/me/cv"))

	r := c.app.NewRequest(allScopes)
	visit := must(c.person.Open(t.Context(), c.app.URL(r)))(t)
	button := must(visit.Page.One("button", person.Allow))(t)
	visit = must(c.person.Press(t.Context(), must(visit.Page.FormOf(button))(t), button))(t)
	if visit.Outside == nil {
		t.Fatalf("status %d: %s", visit.Status, visit.Page.Text())
	}
	answer := must(c.app.Exchange(t.Context(), visit.Outside.Query().Get("code"), r.Verifier))(t)
	c.tokens = must(answer.Tokens())(t)
	if want := "profile cv:read cv:contact"; c.tokens.Scope != want {
		t.Errorf("granted %q, want %q", c.tokens.Scope, want)
	}
	matches(t, "/v1/me", before, success(t, c.get(t, "/v1/me")))
	matches(t, "/v1/me/cv", beforeCV, success(t, c.get(t, "/v1/me/cv")))
}
