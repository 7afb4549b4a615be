package e2e_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// vitaectl runs a command that must succeed and gives what it printed as JSON.
func (s *scene) vitaectl(t testing.TB, args ...string) map[string]any {
	t.Helper()
	return jsonOf(t, must(s.stack.Vitaectl(t.Context(), append(args, "-o", "json")...))(t))
}

func jsonOf(t testing.TB, r stack.Result) map[string]any {
	t.Helper()
	if r.Code != 0 {
		t.Fatalf("exit status %d: %s", r.Code, r.Stderr)
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(r.Stdout), &m); err != nil {
		t.Fatalf("no JSON: %v: %s", err, r.Stdout)
	}
	return m
}

// status runs a command and asserts its exit status, and that a failure says why.
func (s *scene) status(t testing.TB, want int, args ...string) stack.Result {
	t.Helper()
	r := must(s.stack.Vitaectl(t.Context(), args...))(t)
	if r.Code != want {
		t.Errorf("vitaectl %v: exit status %d, want %d: %s", args, r.Code, want, r.Stderr)
	}
	if want != 0 && strings.TrimSpace(r.Stderr) == "" {
		t.Errorf("vitaectl %v failed without a word", args)
	}
	return r
}

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
	r := world.TryImport(t, system, w)
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
	s := newScene(t, good)
	connect(t, s.app(t, "web"), s.person(t, "layla"), "profile", person.Choice{})
}

func TestImportRefusesWhatIsTakenUnknownOrMissing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	again := world.Full()
	again.Email = strings.ToUpper(s.world.People[0].Email)
	for path, w := range map[string]any{
		"people[0].email":     world.World{People: []world.Person{again}},
		"people[0].shoeSize":  map[string]any{"people": []any{map[string]any{"ref": "a", "email": "a@example.com", "password": world.Password, "name": "A", "shoeSize": 43}}},
		"companies[0].app":    map[string]any{"companies": []any{map[string]any{"ref": "c"}}},
		"jobs[0].company":     map[string]any{"jobs": []any{map[string]any{"ref": "j"}}},
		"applications[0].job": map[string]any{"applications": []any{map[string]any{"ref": "a"}}},
		"$":                   []any{},
	} {
		r := world.TryImport(t, system, w)
		if r.Code != 1 || !strings.Contains(r.Stderr, path+":") {
			t.Errorf("%s: exit status %d: %s", path, r.Code, r.Stderr)
		}
	}
}

func TestKeysAreCreatedListedAndDeleted(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.created.Apps["web"].ID
	made := s.vitaectl(t, "key", "create", "--app", app, "--scopes", "jobs:read,jobs:write", "--expires-at", "2040-01-01T00:00:00Z")
	if key, _ := made["key"].(string); !strings.HasPrefix(key, "svc_sk_") {
		t.Errorf("key %v", made["key"])
	}
	listed := s.keys(t, app)
	if len(listed) != 1 || listed[0]["id"] != made["id"] || listed[0]["expiresAt"] != "2040-01-01T00:00:00.000Z" || listed[0]["key"] != nil {
		t.Errorf("listed %v, made %v; the secret is shown once only", listed, made)
	}
	s.status(t, 0, "key", "delete", made["id"].(string))
	if left := s.keys(t, app); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	s.status(t, 1, "key", "delete", made["id"].(string))
	s.status(t, 1, "key", "create", "--app", app, "--scopes", "cv:read") // a user scope
	s.status(t, 1, "key", "create", "--app", "app_unknown", "--scopes", "jobs:read")
}

func (s *scene) keys(t testing.TB, app string) []map[string]any {
	t.Helper()
	r := s.status(t, 0, "key", "list", "--app", app, "-o", "json")
	var keys []map[string]any
	if err := json.Unmarshal([]byte(r.Stdout), &keys); err != nil {
		t.Fatalf("%v: %s", err, r.Stdout)
	}
	return keys
}

func TestRotatedSecretIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	c := everything(t)
	rotated := c.vitaectl(t, "app", "rotate-secret", c.created.Apps["web"].ID)
	for _, edge := range c.replicas(c.app) {
		a := must(edge.Introspect(t.Context(), c.tokens.Access))(t)
		flatRefused(t, a, http.StatusUnauthorized, "invalid_client")
	}
	c.app.Secret = rotated["clientSecret"].(string)
	c.alive(t, c.tokens.Access)
	must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
	c.status(t, 1, "app", "rotate-secret", c.created.Apps["mobile"].ID)
	c.status(t, 1, "app", "rotate-secret", "app_unknown")
}

func TestPlansAreSetAndShown(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	id := s.created.Developers["dev"].ID
	for _, c := range []struct {
		args []string
		want map[string]any
	}{
		{[]string{"elevated"}, map[string]any{"name": "elevated", "perMinute": 1000.0, "perDay": 200000.0}},
		{[]string{"custom", "--per-minute", "5", "--per-day", "50"}, map[string]any{"name": "custom", "perMinute": 5.0, "perDay": 50.0}},
		{[]string{"standard"}, map[string]any{"name": "standard", "perMinute": 300.0, "perDay": 20000.0}},
	} {
		shown := s.vitaectl(t, append([]string{"account", "plan", id}, c.args...)...)
		matches(t, "plan", c.want, shown["plan"])
	}
}

func TestSuspensionIsShown(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	id := s.created.Developers["dev"].ID
	matches(t, "suspendedAt", timestamp, s.vitaectl(t, "account", "suspend", id)["suspendedAt"])
	if at := s.vitaectl(t, "account", "resume", id)["suspendedAt"]; at != nil {
		t.Errorf("suspendedAt %v after resume", at)
	}
}

func TestVitaectlExitsTwoWhenItIsCalledWrongly(t *testing.T) {
	t.Parallel()
	s := &scene{stack: system}
	for _, args := range [][]string{
		{}, {"nothing"}, {"import"}, {"account"}, {"account", "plan", "dev_x", "golden"}, {"key", "create"},
		{"key", "list"}, {"person", "disconnect", "--person", "usr_x"}, {"account", "suspend", "dev_x", "-o", "yaml"},
		{"key", "create", "--app", "x", "--scopes", "a", "--expires-at", "tomorrow"},
	} {
		s.status(t, 2, args...)
	}
	s.status(t, 1, "import", "/nowhere/world.json")
	s.status(t, 1, "account", "suspend", "dev_unknown")
	s.status(t, 1, "person", "disconnect", "--person", "usr_unknown", "--connection", "con_unknown")
	for _, args := range [][]string{{"--help"}, {"import", "--help"}, {"key", "create", "--help"}} {
		if r := s.status(t, 0, args...); !strings.Contains(r.Stdout, "Usage:") {
			t.Errorf("vitaectl %v says nothing of its use", args)
		}
	}
}

func TestImportedAppMayBeSuspendedFromTheStart(t *testing.T) {
	t.Parallel()
	dev := world.OneDeveloper()
	dev.Suspended = true
	dev.Apps[0].APIKeys = []world.APIKey{{Ref: "k", Name: "k", Scopes: []string{"jobs:read"}, ExpiresAt: time.Now().Add(time.Hour).UTC().Format(time.RFC3339)}}
	w := world.World{Developers: []world.Developer{dev}}
	s := &scene{stack: system, world: w, created: world.Import(t, system, w)}
	if key := s.created.APIKeys["k"].Key; !strings.HasPrefix(key, "svc_sk_") {
		t.Errorf("key %q", key)
	}
	app := s.app(t, "web")
	flatRefused(t, must(app.Introspect(t.Context(), "x"))(t), http.StatusForbidden, "access_denied")
}
