package operators_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

func TestImportWithFaultsListsEachAndWritesNothing(t *testing.T) {
	t.Parallel()
	good, bad, dev := world.Full(), world.Full(), world.OneDeveloper()
	bad.Ref, bad.Email = "bad", "no address"
	bad.CVs[0].Title = ""
	bad.CVs[0].Ref = "bad-cv"
	dev.Plan = "golden"
	dev.Apps[0].ClientType = "secret"
	dev.Apps[0].RedirectURIs = []string{"http://partner.example.com/callback"}
	dev.Apps[1].Scopes = []string{"profile", "everything"}
	w := world.World{People: []world.Person{good, bad}, Developers: []world.Developer{dev}}
	r := world.TryImport(t, suite.System, w)
	if r.Code != 1 {
		t.Fatalf("exit status %d: %s", r.Code, r.Stderr)
	}
	for _, path := range []string{
		"people[1].email", "people[1].cvs[0].title", "developers[0].plan",
		"developers[0].apps[0].clientType", "developers[0].apps[0].redirectUris[0]", "developers[0].apps[1].scopes[1]",
	} {
		if !strings.Contains(r.Stderr, path) {
			t.Errorf("%s is not named:\n%s", path, r.Stderr)
		}
	}
	if strings.TrimSpace(r.Stdout) != "" {
		t.Errorf("an import that wrote nothing printed %s", r.Stdout)
	}
	// The good person was not written: the same address and handle are free.
	s := scene.New(t, good)
	scene.Connect(t, s.Client(t, "web"), s.NewPerson(t, "layla"), "profile", person.Choice{})
}

func TestImportRefusesWhatIsTakenUnknownOrMissing(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	again := world.Full()
	again.Email = strings.ToUpper(s.World.People[0].Email)
	for path, w := range map[string]any{
		"people[0].email":     world.World{People: []world.Person{again}},
		"people[0].shoeSize":  map[string]any{"people": []any{map[string]any{"ref": "a", "email": "a@example.com", "password": world.Password, "name": "A", "shoeSize": 43}}},
		"companies[0].app":    map[string]any{"companies": []any{map[string]any{"ref": "c"}}},
		"jobs[0].company":     map[string]any{"jobs": []any{map[string]any{"ref": "j"}}},
		"applications[0].job": map[string]any{"applications": []any{map[string]any{"ref": "a"}}},
		"$":                   []any{},
	} {
		r := world.TryImport(t, suite.System, w)
		if r.Code != 1 || !strings.Contains(r.Stderr, path+":") {
			t.Errorf("%s: exit status %d: %s", path, r.Code, r.Stderr)
		}
	}
}

func TestImportedAppMayBeSuspendedFromTheStart(t *testing.T) {
	t.Parallel()
	dev := world.OneDeveloper()
	dev.Suspended = true
	dev.Apps[0].APIKeys = []world.APIKey{{Ref: "k", Name: "k", Scopes: []string{"jobs:read"}, ExpiresAt: time.Now().Add(time.Hour).UTC().Format(time.RFC3339)}}
	w := world.World{Developers: []world.Developer{dev}}
	s := scene.Of(t, suite.System, w)
	if key := s.Created.APIKeys["k"].Key; !strings.HasPrefix(key, "svc_sk_") {
		t.Errorf("key %q", key)
	}
	app := s.Client(t, "web")
	expect.FlatRefused(t, expect.Must(app.Introspect(t.Context(), "x"))(t), http.StatusForbidden, "access_denied")
}
