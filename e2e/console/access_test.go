package console_test

import (
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stored"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// newTeam imports an account that layla owns, and other people with verified addresses.
func newTeam(t *testing.T, others ...string) *scene.Scene {
	t.Helper()
	people, dev := []world.Person{world.Full()}, world.OneDeveloper()
	for _, ref := range others {
		p := world.Bare()
		p.Ref, p.EmailVerified = ref, true
		people = append(people, p)
	}
	dev.Members = []world.Member{{Person: "layla", Role: "owner"}}
	return scene.Of(t, suite.System, world.World{People: people, Developers: []world.Developer{dev}})
}

// age makes the last proof of a person too old.
func age(t *testing.T, s *scene.Scene, ref string) {
	t.Helper()
	conn := stored.Database(t, s.Stack, "auth")
	tag := expect.Must(conn.Exec(t.Context(), "UPDATE sessions SET proved_at = now() - interval '11 minutes' WHERE person_id = $1", s.Created.People[ref].ID))(t)
	if tag.RowsAffected() == 0 {
		t.Fatal("no session")
	}
}

// Another person may use an unlocked browser. (behaviour: console#re-authentication)
func TestConsoleAsksForRecentProof(t *testing.T) {
	t.Parallel()
	s := newTeam(t)
	owner := enter(t, s, "layla")
	app := expect.Must(owner.open("/apps").Page.One("link", s.AppName(t, "web")))(t).Attr("href")
	send := func(path, button string, f fill) person.Visit {
		t.Helper()
		at := owner.open(path)
		if button != "" {
			at = owner.press(at.Page, button, f)
		}
		return at
	}
	key := fill{text: map[string]string{"Name": "late"}, ticks: []string{"companies:read"}}
	var asked person.Visit
	age(t, s, "layla")
	for _, form := range []struct {
		path, button string
		fill
	}{
		{"/apps/new", "", fill{}},
		{app, "Add a secret", fill{}},
		{"/team", "Invite", fill{text: map[string]string{"Email": "new@example.com"}}},
		{"/settings/close", "Yes, close the account", fill{text: map[string]string{"Type the name of the account to confirm": s.World.Developers[0].Name}}},
		{app + "/keys", "Create key", key},
	} {
		asked = send(form.path, form.button, form.fill)
		if !asked.Page.Has("heading", "Confirm it’s you") || !strings.HasPrefix(asked.Page.URL.String(), s.Stack.AppURLs[0]) {
			t.Errorf("%s without a proof: %d at %s", form.path, asked.Status, asked.Page.URL)
		}
	}
	if shown := owner.open("/team").Page.Text(); strings.Contains(shown, "new@example.com") {
		t.Errorf("a person was invited: %s", shown)
	}
	if n := keysOf(t, owner.open(app+"/keys").Page); n != 0 {
		t.Errorf("%d keys were made", n)
	}

	at := owner.press(asked.Page, "Continue", fill{text: map[string]string{"Current password": owner.Password}})
	if at.Page.URL.String() != owner.url+app+"/keys" || !strings.Contains(at.Page.Text(), "You can continue now") {
		t.Fatalf("after the proof: %d at %s: %s", at.Status, at.Page.URL, at.Page.Text())
	}
	once(t, owner.press(at.Page, "Create key", key))
}
