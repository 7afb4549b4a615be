package operators_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// rows returns the objects that a command lists.
func rows(t testing.TB, s *scene.Scene, args ...string) (list []map[string]any) {
	t.Helper()
	r := s.Exits(t, 0, append(args, "-o", "json")...)
	if err := json.Unmarshal([]byte(r.Stdout), &list); err != nil {
		t.Fatalf("%v: %s", err, r.Stdout)
	}
	return list
}

func TestOperatorsChangeTeams(t *testing.T) {
	t.Parallel()
	owner, viewer := world.Full(), world.Bare()
	dev := world.OneDeveloper()
	dev.Members = []world.Member{{Person: owner.Ref, Role: "owner"}, {Person: viewer.Ref, Role: "viewer"}}
	s := scene.Of(t, suite.System, world.World{People: []world.Person{owner, viewer}, Developers: []world.Developer{dev}})
	account, ownerID, viewerID := s.Created.Developers[dev.Ref].ID, s.Created.People[owner.Ref].ID, s.Created.People[viewer.Ref].ID
	members := rows(t, s, "member", "list", "--account", account)
	if len(members) != 2 || members[0]["personId"] != ownerID || members[0]["role"] != "owner" || members[0]["name"] != owner.Name || members[1]["role"] != "viewer" {
		t.Errorf("the members are %v", members)
	}
	s.Exits(t, 1, "member", "remove", "--account", account, "--person", ownerID)
	s.Exits(t, 0, "member", "remove", "--account", account, "--person", viewerID)
	s.Exits(t, 0, "member", "add", "--account", account, "--person", viewerID, "--role", "developer")
	s.Exits(t, 1, "member", "add", "--account", account, "--person", viewerID, "--role", "owner")
	if left := rows(t, s, "member", "list", "--account", account); len(left) != 2 || left[1]["role"] != "developer" {
		t.Errorf("after the changes, the members are %v", left)
	}
	found := rows(t, s, "person", "find", strings.ToUpper(owner.Email))
	if len(found) != 1 || found[0]["id"] != ownerID || found[0]["name"] != owner.Name {
		t.Errorf("the search finds %v", found)
	}
}

func TestOperatorsCreateAndCloseAccounts(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	name := "Closing " + world.Unique()
	id := s.Vitaectl(t, "account", "create", "--name", name, "--email", "dev@vitae.example")["id"].(string)
	for _, text := range []string{strings.ToUpper(name), id} {
		if found := rows(t, s, "account", "find", text); len(found) != 1 || found[0]["id"] != id || found[0]["verifiedAt"] != nil {
			t.Errorf("a search for %s finds %v", text, found)
		}
	}
	expect.Matches(t, "verifiedAt", expect.Timestamp, s.Vitaectl(t, "account", "verify", id)["verifiedAt"])
	s.Exits(t, 1, "account", "close", id, "--name", "another", "--yes")
	s.Exits(t, 0, "account", "close", id, "--name", name, "--yes")
	s.Exits(t, 1, "account", "resume", id)
	if slices.ContainsFunc(rows(t, s, "account", "list"), func(a map[string]any) bool { return a["id"] == id }) {
		t.Error("a closed account is listed")
	}
}
