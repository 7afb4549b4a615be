package sharing_test

import (
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// combinations calls visit for every set of scopes that a person may grant, with and without the photo.
func combinations(visit func(scope string, photo bool)) {
	for _, scope := range []string{
		"profile", "profile email", "profile cv:read", "profile email cv:read", "profile cv:read cv:contact", world.EveryScope,
	} {
		for _, photo := range []bool{false, true} {
			visit(scope, photo)
		}
	}
}

func TestUserFieldsMatchScopes(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app, layla, stored := s.Client(t, "web"), s.NewPerson(t, "layla"), s.World.People[0]
	combinations(func(scope string, photo bool) {
		c := scene.Connected{Scene: s, App: app, Person: layla}
		c.Tokens = scene.Connect(t, app, layla, world.EveryScope, person.Choice{Drop: without(scope), Photo: photo})
		if c.Tokens.Scope != scope {
			t.Errorf("granted %q, want %q", c.Tokens.Scope, scope)
		}
		want := map[string]any{
			"id": s.Created.People["layla"].ID, "name": stored.Name, "username": stored.Username,
			"headline": stored.Headline, "locale": stored.Locale, "avatarUrl": nil,
			"profileUrl": suite.System.AppURLs[0] + "/p/" + stored.Username,
			"connection": map[string]any{
				"id": expect.Identifier, "scopes": expect.List(strings.Fields(scope)), "cv": nil, "createdAt": expect.Timestamp,
			},
		}
		if photo {
			want["avatarUrl"] = scene.PhotoURL
		}
		if scene.Granted(scope, "email") {
			want["email"] = stored.Email
		}
		if scene.Granted(scope, "cv:read") {
			want["connection"].(map[string]any)["cv"] = map[string]any{"id": "master", "title": "Main CV", "updatedAt": expect.Timestamp}
		}
		expect.Matches(t, scope, want, expect.Success(t, c.Get(t, "/v1/me")))
	})
}

// without returns the scopes that a person must decline to grant only the given scopes.
func without(scope string) []string {
	var dropped []string
	for _, s := range world.AllScopes {
		if !scene.Granted(scope, s) {
			dropped = append(dropped, s)
		}
	}
	return dropped
}
