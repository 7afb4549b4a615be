package sharing_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// combinations calls visit for every set of scopes that a person may grant, with and
// without the photo.
func combinations(visit func(scope string, photo bool)) {
	for _, scope := range []string{
		"profile", "profile email", "profile cv:read", "profile email cv:read", "profile cv:read cv:contact", world.EveryScope,
	} {
		for _, photo := range []bool{false, true} {
			visit(scope, photo)
		}
	}
}

func TestSignedInUserHasExactlyTheFieldsOfItsScopes(t *testing.T) {
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
			want["avatarUrl"] = scene.PhotoAddress
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

// without are the scopes that a person must drop to grant the given ones alone.
func without(scope string) []string {
	var dropped []string
	for _, s := range world.AllScopes {
		if !scene.Granted(scope, s) {
			dropped = append(dropped, s)
		}
	}
	return dropped
}

func TestPersonWithoutAnythingStoredHasNullsAndNoEmail(t *testing.T) {
	t.Parallel()
	s := scene.New(t, world.Bare())
	c := scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "bare")}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	data := expect.Success(t, c.Get(t, "/v1/me"))
	expect.Matches(t, "data", map[string]any{
		"id": s.Created.People["bare"].ID, "name": "Omar Nasser", "username": nil, "headline": nil, "locale": nil,
		"avatarUrl": nil, "profileUrl": nil,
		"connection": map[string]any{"id": expect.Identifier, "scopes": identifierList, "cv": nil, "createdAt": expect.Timestamp},
	}, data)
	for _, path := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
		a := c.Get(t, path)
		if scene.Granted(c.Tokens.Scope, "cv:read") {
			expect.Refused(t, a, http.StatusNotFound, "CV_NOT_FOUND")
		} else {
			expect.Refused(t, a, http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
		}
	}
}

var identifierList expect.Matcher = func(v any) error {
	if l, ok := v.([]any); !ok || len(l) == 0 {
		return expect.Identifier(nil)
	}
	return nil
}

func TestUnverifiedEmailIsShownToNobody(t *testing.T) {
	t.Parallel()
	unverified := world.Full()
	unverified.EmailVerified = false
	s := scene.New(t, unverified)
	c := scene.Connected{Scene: s, App: s.Client(t, "web")}
	c.Tokens = scene.Connect(t, c.App, s.NewPerson(t, "layla"), world.EveryScope, person.Choice{})
	if _, has := expect.Success(t, c.Get(t, "/v1/me"))["email"]; has {
		t.Error("an unverified e-mail address is shown")
	}
	document := expect.Success(t, c.Get(t, "/v1/me/cv"))["document"].(map[string]any)
	if document["contactEmail"] != nil {
		t.Errorf("contactEmail %v, want null", document["contactEmail"])
	}
}
