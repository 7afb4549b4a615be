package e2e_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// combinations are what a person may grant, with and without the photo.
func combinations(visit func(scope string, photo bool)) {
	for _, scope := range []string{
		"profile", "profile email", "profile cv:read", "profile email cv:read", "profile cv:read cv:contact", allScopes,
	} {
		for _, photo := range []bool{false, true} {
			visit(scope, photo)
		}
	}
}

func granted(scope, name string) bool { return slices.Contains(strings.Fields(scope), name) }

func TestSignedInUserHasExactlyTheFieldsOfItsScopes(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla, stored := s.app(t, "web"), s.person(t, "layla"), s.world.People[0]
	combinations(func(scope string, photo bool) {
		c := connected{scene: s, app: app, person: layla}
		c.tokens = connect(t, app, layla, allScopes, person.Choice{Drop: without(scope), Photo: photo})
		if c.tokens.Scope != scope {
			t.Errorf("granted %q, want %q", c.tokens.Scope, scope)
		}
		want := map[string]any{
			"id": s.created.People["layla"].ID, "name": stored.Name, "username": stored.Username,
			"headline": stored.Headline, "locale": stored.Locale, "avatarUrl": nil,
			"profileUrl": system.AppURLs[0] + "/p/" + stored.Username,
			"connection": map[string]any{
				"id": identifier, "scopes": list(strings.Fields(scope)), "cv": nil, "createdAt": timestamp,
			},
		}
		if photo {
			want["avatarUrl"] = world.Avatar
		}
		if granted(scope, "email") {
			want["email"] = stored.Email
		}
		if granted(scope, "cv:read") {
			want["connection"].(map[string]any)["cv"] = map[string]any{"id": "master", "title": "Main CV", "updatedAt": timestamp}
		}
		matches(t, scope, want, success(t, c.get(t, "/v1/me")))
	})
}

// without are the scopes that a person drops to grant only those of scope.
func without(scope string) []string {
	var dropped []string
	for _, s := range world.AllScopes {
		if !granted(scope, s) {
			dropped = append(dropped, s)
		}
	}
	return dropped
}

func list(texts []string) []any {
	out := make([]any, 0, len(texts))
	for _, s := range texts {
		out = append(out, s)
	}
	return out
}

func TestPersonWithoutAnythingStoredHasNullsAndNoEmail(t *testing.T) {
	t.Parallel()
	s := newScene(t, world.Bare())
	c := connected{scene: s, app: s.app(t, "web"), person: s.person(t, "bare")}
	c.tokens = connect(t, c.app, c.person, allScopes, person.Choice{Photo: true})
	data := success(t, c.get(t, "/v1/me"))
	matches(t, "data", map[string]any{
		"id": s.created.People["bare"].ID, "name": "Omar Nasser", "username": nil, "headline": nil, "locale": nil,
		"avatarUrl": nil, "profileUrl": nil,
		"connection": map[string]any{"id": identifier, "scopes": identifierList, "cv": nil, "createdAt": timestamp},
	}, data)
	for _, path := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
		a := c.get(t, path)
		if granted(c.tokens.Scope, "cv:read") {
			refused(t, a, http.StatusNotFound, "CV_NOT_FOUND")
		} else {
			refused(t, a, http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
		}
	}
}

var identifierList matcher = func(v any) error {
	if l, ok := v.([]any); !ok || len(l) == 0 {
		return identifier(nil)
	}
	return nil
}

func TestUnverifiedEmailIsShownToNobody(t *testing.T) {
	t.Parallel()
	unverified := world.Full()
	unverified.EmailVerified = false
	s := newScene(t, unverified)
	c := connected{scene: s, app: s.app(t, "web")}
	c.tokens = connect(t, c.app, s.person(t, "layla"), allScopes, person.Choice{})
	if _, has := success(t, c.get(t, "/v1/me"))["email"]; has {
		t.Error("an unverified e-mail address is shown")
	}
	document := success(t, c.get(t, "/v1/me/cv"))["document"].(map[string]any)
	if document["contactEmail"] != nil {
		t.Errorf("contactEmail %v, want null", document["contactEmail"])
	}
}

func TestPagesOfPrivateProfilesAreNotNamed(t *testing.T) {
	t.Parallel()
	private := world.Full()
	private.ProfilePublic = false
	s := newScene(t, private)
	c := connected{scene: s, app: s.app(t, "web")}
	c.tokens = connect(t, c.app, s.person(t, "layla"), allScopes, person.Choice{})
	if u := success(t, c.get(t, "/v1/me"))["profileUrl"]; u != nil {
		t.Errorf("profileUrl %v, want null", u)
	}
	cv := success(t, c.get(t, "/v1/me/cv"))
	if cv["publicProfileUrl"] != nil || at(cv, "document", "publicCvUrl") != nil {
		t.Errorf("publicProfileUrl %v, publicCvUrl %v; want null", cv["publicProfileUrl"], at(cv, "document", "publicCvUrl"))
	}
	for _, path := range []string{"/p/" + private.Username, "/p/" + private.Username + "/cv"} {
		if a := open(t, system.AppURLs[0]+path); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, a.Status)
		}
	}
}

func TestPublicPagesResolveAndShowNoPrivateDetail(t *testing.T) {
	t.Parallel()
	c := everything(t)
	cv := success(t, c.get(t, "/v1/me/cv"))
	for _, page := range []any{cv["publicProfileUrl"], at(cv, "document", "publicCvUrl"), success(t, c.get(t, "/v1/me"))["profileUrl"]} {
		a := open(t, page.(string))
		if a.Status != http.StatusOK {
			t.Fatalf("%v: %d", page, a.Status)
		}
		shows(t, page.(string), string(a.Body), true, "Layla Haddad", "Backend engineer")
		for _, private := range privateTexts(c.world.People[0]) {
			if strings.Contains(string(a.Body), private) {
				t.Errorf("%v shows %q", page, private)
			}
		}
	}
}

func TestPublicCVShowsEverythingPublicInIt(t *testing.T) {
	t.Parallel()
	c := everything(t)
	page := at(success(t, c.get(t, "/v1/me/cv")), "document", "publicCvUrl").(string)
	shows(t, page, string(open(t, page).Body), true,
		"Builds payment systems", "mentor", "Speaker", "Lead engineer", "Halved settlement time", "Souq", "University of Jordan",
		"Kafka", "PostgreSQL", "Redis", "Databases", "Arabic (native)", "CKA", "First aid", "Open ledger", "Blog")
}

// privateTexts are what nobody sees without cv:contact and email.
func privateTexts(p world.Person) []string {
	out := []string{p.Email, world.Phone, "50 123 4567", "Villa 12", "Al Wasl"}
	for key, v := range p.PersonalDetails {
		if key != "dependents" && key != "residence" { // too short, and in other texts
			out = append(out, v)
		}
	}
	return out
}
