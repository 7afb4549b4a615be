package console_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/page"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stored"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// newTeam imports an account that layla owns, and other people with verified email addresses.
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

// pressInRow selects a role, if given, and presses a button in a row of a table.
func (v visitor) pressInRow(at *page.Page, row, button, role string) person.Visit {
	v.t.Helper()
	for _, r := range at.All("row", "") {
		if !strings.Contains(r.Text(), row) {
			continue
		}
		b := expect.Must(r.One("button", button))(v.t)
		form := expect.Must(at.FormOf(b))(v.t)
		if role != "" {
			if err := form.Select(expect.Must(r.One("combobox", "Role of "+row))(v.t), role); err != nil {
				v.t.Fatal(err)
			}
		}
		return expect.Must(v.Press(v.t.Context(), form, b))(v.t)
	}
	v.t.Fatalf("no row contains %s: %s", row, at.Text())
	return person.Visit{}
}

// invite invites a person as an owner and returns the invitation link.
func (v visitor) invite(email string) string {
	v.t.Helper()
	at := v.open("/team").Page
	b := expect.Must(at.One("button", "Invite"))(v.t)
	form := expect.Must(at.FormOf(b))(v.t)
	form.Fill(expect.Must(at.One("textbox", "Email"))(v.t), email)
	if err := form.Select(expect.Must(at.One("combobox", "Role"))(v.t), "owner"); err != nil {
		v.t.Fatal(err)
	}
	shown := expect.Must(v.Press(v.t.Context(), form, b))(v.t).Page.Text()
	link := regexp.MustCompile(regexp.QuoteMeta(v.url) + `/invitations/\S+`).FindString(shown)
	if link == "" {
		v.t.Fatalf("the page shows no link: %s", shown)
	}
	return link
}

// expireConfirmation makes a person's last confirmation too old.
func expireConfirmation(t *testing.T, s *scene.Scene, ref string) {
	t.Helper()
	conn := stored.Database(t, s.Stack, "auth")
	tag := expect.Must(conn.Exec(t.Context(), "UPDATE sessions SET proved_at = now() - interval '11 minutes' WHERE person_id = $1", s.Created.People[ref].ID))(t)
	if tag.RowsAffected() == 0 {
		t.Fatal("no session")
	}
}

// Someone else may use an unlocked browser. (behaviour: console#re-authentication)
func TestConsoleRequiresRecentConfirmation(t *testing.T) {
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
	expireConfirmation(t, s, "layla")
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
			t.Errorf("%s without a recent confirmation: %d at %s", form.path, asked.Status, asked.Page.URL)
		}
	}
	if shown := owner.open("/team").Page.Text(); strings.Contains(shown, "new@example.com") {
		t.Errorf("the invitation was created: %s", shown)
	}
	if n := keysOf(t, owner.open(app+"/keys").Page); n != 0 {
		t.Errorf("%d keys were created", n)
	}

	at := owner.press(asked.Page, "Continue", fill{text: map[string]string{"Current password": owner.Password}})
	if at.Page.URL.String() != owner.url+app+"/keys" || !strings.Contains(at.Page.Text(), "You can continue now") {
		t.Fatalf("after the confirmation: %d at %s: %s", at.Status, at.Page.URL, at.Page.Text())
	}
	newCredential(t, owner.press(at.Page, "Create key", key))
}

// (behaviour: tokens#api-keys)
func TestAppHasAtMostFiftyKeys(t *testing.T) {
	t.Parallel()
	dev := world.OneDeveloper()
	dev.Members = []world.Member{{Person: "layla", Role: "owner"}}
	for i := range 50 {
		name := fmt.Sprintf("key-%d", i)
		dev.Apps[0].APIKeys = append(dev.Apps[0].APIKeys, world.APIKey{Ref: name, Name: name, Scopes: world.CompanyScopes})
	}
	s := scene.Of(t, suite.System, world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}})
	owner := enter(t, s, "layla")
	app := expect.Must(owner.open("/apps").Page.One("link", s.AppName(t, "web")))(t).Attr("href")
	create := func() person.Visit {
		t.Helper()
		return owner.press(owner.open(app+"/keys").Page, "Create key", fill{text: map[string]string{"Name": "one more"}, ticks: []string{"companies:read"}})
	}
	at := create()
	if at.Status != http.StatusConflict || !strings.Contains(at.Page.Text(), "The app has 50 live API keys, as many as an app can have. Delete one first.") {
		t.Errorf("key 51: %d %s", at.Status, at.Page.Text())
	}
	owner.press(owner.pressInRow(owner.open(app+"/keys").Page, "key-0", "Delete", "").Page, "Yes, delete", fill{})
	newCredential(t, create())
}

// (behaviour: apps#reserved-names)
func TestReservedNamesAreRejected(t *testing.T) {
	t.Parallel()
	s := newTeam(t, "stranger")
	s.Exits(t, 0, "account", "verify", s.Created.Developers["dev"].ID)
	verified := s.World.Developers[0].Name
	owner, stranger := enter(t, s, "layla"), enter(t, s, "stranger")
	reserved, hidden := "Is reserved, looks like a name that is", "Must not hold invisible characters"
	for name, want := range map[string]string{
		"Vitae": reserved, "VITAE CONSOLE": reserved, "Vit\u0430e": reserved, verified: reserved, "Vi\u200btae": hidden,
	} {
		at := stranger.press(stranger.open("/accounts/new").Page, "Create account", fill{text: map[string]string{"Name": name}})
		if at.Status != http.StatusUnprocessableEntity || !strings.Contains(at.Page.Text(), want) {
			t.Errorf("an account %+q: %d %s", name, at.Status, at.Page.Text())
		}
		if name == verified {
			continue // apps of the verified account may have its name
		}
		at = owner.press(owner.open("/apps/new").Page, "Create app", fill{text: map[string]string{"Name": name, "Redirect URIs": "https://layla.example/callback"}})
		if at.Status != http.StatusUnprocessableEntity || !strings.Contains(at.Page.Text(), want) {
			t.Errorf("an app %+q: %d %s", name, at.Status, at.Page.Text())
		}
	}
	if at := stranger.open("/apps"); at.Page.URL.Path != "/accounts/new" {
		t.Errorf("an account was created: %s", at.Page.Text())
	}
}

// An owner who expects to be removed could invite their own second address.
// (behaviour: console#invitations)
func TestInvitationsEndWithInvitersRole(t *testing.T) {
	t.Parallel()
	s := newTeam(t, "guest", "second")
	owner, guest, second := enter(t, s, "layla"), enter(t, s, "guest"), enter(t, s, "second")
	link := owner.invite(guest.Email)
	guest.press(expect.Must(guest.Open(t.Context(), link))(t).Page, "Join", fill{})
	accept := func(link string) int {
		t.Helper()
		return expect.Must(second.Open(t.Context(), link))(t).Status
	}

	link = guest.invite(second.Email)
	if got := accept(link); got != http.StatusOK {
		t.Fatalf("an owner's invitation: %d", got)
	}
	owner.pressInRow(owner.open("/team").Page, "Omar Nasser", "Change", "developer")
	if got := accept(link); got != http.StatusNotFound {
		t.Errorf("the invitation by an owner who is now a developer: %d", got)
	}

	owner.pressInRow(owner.open("/team").Page, "Omar Nasser", "Change", "owner")
	link = guest.invite(second.Email)
	app := expect.Must(guest.open("/apps").Page.One("link", s.AppName(t, "web")))(t).Attr("href")
	newCredential(t, guest.press(guest.open(app+"/keys").Page, "Create key", fill{text: map[string]string{"Name": "spare"}, ticks: []string{"companies:read"}}))
	ask := owner.pressInRow(owner.open("/team").Page, "Omar Nasser", "Remove", "").Page
	for _, want := range []string{"their open invitations end", "People who joined by their invitations stay", "may have kept copies", "API key spare"} {
		if !strings.Contains(ask.Text(), want) {
			t.Errorf("the confirmation page does not contain %q: %s", want, ask.Text())
		}
	}
	owner.press(ask, "Yes, remove", fill{})
	if got := accept(link); got != http.StatusNotFound {
		t.Errorf("the invitation by a removed owner: %d", got)
	}
}
