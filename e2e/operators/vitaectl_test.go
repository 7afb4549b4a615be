package operators_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

func TestKeysAreCreatedListedAndDeleted(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Created.Apps["web"].ID
	made := s.Vitaectl(t, "key", "create", "--app", app, "--scopes", "jobs:read,jobs:write", "--expires-at", "2040-01-01T00:00:00Z")
	if key, _ := made["key"].(string); !strings.HasPrefix(key, "svc_sk_") {
		t.Errorf("key %v", made["key"])
	}
	listed := rows(t, s, "key", "list", "--app", app)
	if len(listed) != 1 || listed[0]["id"] != made["id"] || listed[0]["expiresAt"] != "2040-01-01T00:00:00.000Z" || listed[0]["key"] != nil {
		t.Errorf("listed %v, created %v; the secret must be shown only once", listed, made)
	}
	s.Exits(t, 0, "key", "delete", made["id"].(string))
	if left := rows(t, s, "key", "list", "--app", app); len(left) != 0 {
		t.Errorf("the list after the deletion: %v", left)
	}
	s.Exits(t, 1, "key", "delete", made["id"].(string))
	s.Exits(t, 1, "key", "create", "--app", app, "--scopes", "cv:read") // a scope for personal data
	s.Exits(t, 1, "key", "create", "--app", "app_unknown", "--scopes", "jobs:read")
}

func TestAuditLogNamesOperator(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	account := s.Created.Developers["dev"].ID
	name := "op" + strings.ToLower(rand.Text()[:8])
	made := s.Vitaectl(t, "operator", "add", name)
	settings := []string{fmt.Sprint("VITAE_TLS_CERT=", made["certificate"]), fmt.Sprint("VITAE_TLS_KEY=", made["key"])}
	r := expect.Must(s.Stack.VitaectlWith(t.Context(), settings, "account", "plan", account, "elevated"))(t)
	if r.Code != 0 {
		t.Fatalf("the operator is rejected: %s", r.Stderr)
	}
	want := audited{Action: "account.set_plan", Outcome: "succeeded", AccountID: account}
	want.Actor.Kind, want.Actor.Caller = "operator", "vitaectl/"+name
	awaitEvent(t, s, want, "--account", account)
}
