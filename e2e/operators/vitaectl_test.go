package operators_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

func TestKeysAreCreatedListedAndDeleted(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Created.Apps["web"].ID
	made := s.Vitaectl(t, "key", "create", "--app", app, "--scopes", "jobs:read,jobs:write", "--expires-at", "2040-01-01T00:00:00Z")
	if key, _ := made["key"].(string); !strings.HasPrefix(key, "svc_sk_") {
		t.Errorf("key %v", made["key"])
	}
	listed := keys(t, s, app)
	if len(listed) != 1 || listed[0]["id"] != made["id"] || listed[0]["expiresAt"] != "2040-01-01T00:00:00.000Z" || listed[0]["key"] != nil {
		t.Errorf("listed %v, made %v; the secret is shown once only", listed, made)
	}
	s.Exits(t, 0, "key", "delete", made["id"].(string))
	if left := keys(t, s, app); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	s.Exits(t, 1, "key", "delete", made["id"].(string))
	s.Exits(t, 1, "key", "create", "--app", app, "--scopes", "cv:read") // a user scope
	s.Exits(t, 1, "key", "create", "--app", "app_unknown", "--scopes", "jobs:read")
}

func keys(t testing.TB, s *scene.Scene, app string) []map[string]any {
	t.Helper()
	r := s.Exits(t, 0, "key", "list", "--app", app, "-o", "json")
	var keys []map[string]any
	if err := json.Unmarshal([]byte(r.Stdout), &keys); err != nil {
		t.Fatalf("%v: %s", err, r.Stdout)
	}
	return keys
}

func TestRotatedSecretIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	rotated := c.Vitaectl(t, "app", "rotate-secret", c.Created.Apps["web"].ID)
	for _, edge := range c.Replicas(c.App) {
		a := expect.Must(edge.Introspect(t.Context(), c.Tokens.Access))(t)
		expect.FlatRefused(t, a, http.StatusUnauthorized, "invalid_client")
	}
	c.App.Secret = rotated["clientSecret"].(string)
	c.Alive(t, c.Tokens.Access)
	expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	c.Exits(t, 1, "app", "rotate-secret", c.Created.Apps["mobile"].ID)
	c.Exits(t, 1, "app", "rotate-secret", "app_unknown")
}

func TestPlansAreSetAndShown(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	id := s.Created.Developers["dev"].ID
	for _, c := range []struct {
		args []string
		want map[string]any
	}{
		{[]string{"elevated"}, map[string]any{"name": "elevated", "perMinute": 1000.0, "perDay": 200000.0}},
		{[]string{"custom", "--per-minute", "5", "--per-day", "50"}, map[string]any{"name": "custom", "perMinute": 5.0, "perDay": 50.0}},
		{[]string{"standard"}, map[string]any{"name": "standard", "perMinute": 300.0, "perDay": 20000.0}},
	} {
		shown := s.Vitaectl(t, append([]string{"account", "plan", id}, c.args...)...)
		expect.Matches(t, "plan", c.want, shown["plan"])
	}
}

func TestSuspensionIsShown(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	id := s.Created.Developers["dev"].ID
	expect.Matches(t, "suspendedAt", expect.Timestamp, s.Vitaectl(t, "account", "suspend", id)["suspendedAt"])
	if at := s.Vitaectl(t, "account", "resume", id)["suspendedAt"]; at != nil {
		t.Errorf("suspendedAt %v after resume", at)
	}
}

func TestTheAuditLogNamesAnOperatorWithACertificate(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	account := s.Created.Developers["dev"].ID
	name := "op" + strings.ToLower(rand.Text()[:8])
	made := s.Vitaectl(t, "operator", "add", name)
	settings := []string{fmt.Sprint("VITAE_TLS_CERT=", made["certificate"]), fmt.Sprint("VITAE_TLS_KEY=", made["key"])}
	r := expect.Must(s.Stack.VitaectlWith(t.Context(), settings, "account", "plan", account, "elevated"))(t)
	if r.Code != 0 {
		t.Fatalf("the operator is refused: %s", r.Stderr)
	}
	want := audited{Action: "account.set_plan", Outcome: "succeeded", AccountID: account}
	want.Actor.Kind, want.Actor.Caller = "operator", "vitaectl/"+name
	found(t, s, want, "--account", account)
}

func TestVitaectlExitsTwoWhenItIsCalledWrongly(t *testing.T) {
	t.Parallel()
	s := &scene.Scene{Stack: suite.System} // no world is needed
	for _, args := range [][]string{
		{}, {"nothing"}, {"import"}, {"account"}, {"account", "plan", "dev_x", "golden"}, {"key", "create"},
		{"key", "list"}, {"person", "disconnect", "--person", "usr_x"}, {"account", "suspend", "dev_x", "-o", "yaml"},
		{"key", "create", "--app", "x", "--scopes", "a", "--expires-at", "tomorrow"},
	} {
		s.Exits(t, 2, args...)
	}
	s.Exits(t, 1, "import", "/nowhere/world.json")
	s.Exits(t, 1, "account", "suspend", "dev_unknown")
	s.Exits(t, 1, "person", "disconnect", "--person", "usr_unknown", "--connection", "con_unknown")
	for _, args := range [][]string{{"--help"}, {"import", "--help"}, {"key", "create", "--help"}} {
		if r := s.Exits(t, 0, args...); !strings.Contains(r.Stdout, "Usage:") {
			t.Errorf("vitaectl %v says nothing of its use", args)
		}
	}
}
