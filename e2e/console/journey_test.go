package console_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/page"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
)

// visitor is a person who uses the console.
type visitor struct {
	*person.Person
	t   *testing.T
	url string
}

// enter signs a person in to the console, on the sign-in page of the web app, and submits the consent page,
// which is short for a returning person.
func enter(t *testing.T, s *scene.Scene, ref string) visitor {
	t.Helper()
	v := visitor{s.NewPerson(t, ref), t, s.Stack.ConsoleURLs[0]}
	at := expect.Must(v.Open(t.Context(), v.url+"/"))(t)
	at = expect.Must(v.SignIn(t.Context(), at.Page))(t)
	_, again := person.ContinueButton(at.Page)
	if !again && !at.Page.Has("button", person.Allow) || !strings.Contains(at.Page.Text(), "Part of Vitae") {
		t.Fatalf("no consent page of the console: %s", at.Page.Text())
	}
	at = expect.Must(v.Consent(t.Context(), at, person.Choice{Continue: again}))(t)
	if at.Page == nil || !strings.HasPrefix(at.Page.URL.String(), v.url) {
		t.Fatalf("no redirect back to the console: %+v", at)
	}
	return v
}

func (v visitor) open(path string) person.Visit {
	v.t.Helper()
	return expect.Must(v.Open(v.t.Context(), v.url+path))(v.t)
}

// fill is the input for a form: text by field name, and the checkboxes to tick.
type fill struct {
	text  map[string]string
	ticks []string
}

// press fills in the form that a button submits, and presses the button.
func (v visitor) press(at *page.Page, button string, f fill) person.Visit {
	v.t.Helper()
	b := expect.Must(at.One("button", button))(v.t)
	form := expect.Must(at.FormOf(b))(v.t)
	for name, value := range f.text {
		form.Fill(expect.Must(at.One("textbox", name))(v.t), value)
	}
	for _, name := range f.ticks {
		form.Check(expect.Must(at.One("checkbox", name))(v.t), true)
	}
	return expect.Must(v.Press(v.t.Context(), form, b))(v.t)
}

var onceShown = regexp.MustCompile(`svc_(sk|cs)_[0-9A-Za-z]+`)

// newCredential returns the credential that a page shows only once.
func newCredential(t *testing.T, v person.Visit) string {
	t.Helper()
	if v.Status != http.StatusOK || v.Page == nil || !v.Page.Has("region", "Copy it now") {
		t.Fatalf("%d, the page shows no new credential: %s", v.Status, v.Page.Text())
	}
	return onceShown.FindString(v.Page.Text())
}

func TestNewDeveloperSendsFirstRequest(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	v := enter(t, s, "layla")
	at := v.open("/")
	if !at.Page.Has("button", "Create account") {
		t.Fatalf("the page does not offer to create an account: %s", at.Page.Text())
	}
	at = v.press(at.Page, "Create account", fill{text: map[string]string{"Name": "Layla Works"}})
	nav := expect.Must(at.Page.One("navigation", "Console"))(t)
	for _, link := range []string{"Overview", "Apps", "Limits", "Team", "Audit log", "Settings"} {
		if _, err := nav.One("link", link); err != nil {
			t.Error(err)
		}
	}
	at = v.press(v.open("/apps/new").Page, "Create app", fill{
		text: map[string]string{"Name": "Layla Hiring", "Redirect URIs": "https://layla.example/callback\nhttp://127.0.0.1/done"}, ticks: []string{"email"},
	})
	if secret := newCredential(t, at); !strings.HasPrefix(secret, "svc_cs_") {
		t.Fatalf("no client secret: %s", at.Page.Text())
	}
	list := v.open("/apps")
	app := expect.Must(list.Page.One("link", "Layla Hiring"))(t).Attr("href")
	at = v.press(v.open(app+"/keys").Page, "Create key", fill{text: map[string]string{"Name": "ats"}, ticks: []string{"companies:read"}})
	key := newCredential(t, at)
	if again := v.open(app + "/keys"); strings.Contains(again.Page.Text(), key) {
		t.Error("the page shows the key again")
	}
	use := func() int {
		return scene.Raw(t, http.MethodGet, s.Stack.BaseURLs[0]+"/v1/companies", "", "", "Authorization", "Bearer "+key).Status
	}
	if status := use(); status != http.StatusOK {
		t.Fatalf("the first request: %d", status)
	}

	at = v.open(app + "/keys")
	ask := v.press(at.Page, "Delete", fill{})
	if at = v.press(ask.Page, "Yes, delete", fill{}); at.Status != http.StatusOK {
		t.Fatalf("deleting the key: status %d", at.Status)
	}
	if status := use(); status != http.StatusUnauthorized {
		t.Errorf("a deleted key: %d", status)
	}
	log := v.open("/audit")
	for _, action := range []string{"account.create", "app.create", "api_key.create", "api_key.delete"} {
		if !strings.Contains(log.Page.Text(), action) {
			t.Errorf("the audit log does not have %s", action)
		}
	}
}

func TestConsoleSessionEndsWithBrowser(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	v := enter(t, s, "layla")
	account := s.Stack.AppURLs[0] + "/account"
	other := s.NewPerson(t, "layla")
	at := expect.Must(other.Open(t.Context(), account))(t)
	at = expect.Must(other.SignIn(t.Context(), at.Page))(t)
	list := expect.Must(at.Page.One("region", "Sessions"))(t)
	buttons := list.All("button", "Sign out")
	if len(buttons) != 2 || strings.Count(list.Text(), "Also signed in to the developer console.") != 1 {
		t.Fatalf("the sessions are %s", list.Text())
	}
	// The list starts with the session used last, which is the session of this page.
	expect.Must(other.Press(t.Context(), expect.Must(at.Page.FormOf(buttons[1]))(t), buttons[1]))(t)
	isIn := func(p *person.Person) bool {
		t.Helper()
		at := expect.Must(p.Open(t.Context(), v.url+"/accounts/new"))(t)
		return at.Page != nil && strings.HasPrefix(at.Page.URL.String(), v.url)
	}
	if isIn(v.Person) {
		t.Error("still signed in to the console after the session was ended from a different browser")
	}

	at = expect.Must(other.Open(t.Context(), v.url+"/"))(t)
	expect.Must(other.Consent(t.Context(), at, person.Choice{}))(t)
	if !isIn(other) {
		t.Fatal("not signed in")
	}
	pages := expect.Must(other.Connections(t.Context(), s.Stack.AppURLs[0]))(t)
	button := expect.Must(pages.One("button", "Sign out"))(t)
	expect.Must(other.Press(t.Context(), expect.Must(pages.FormOf(button))(t), button))(t)
	if isIn(other) {
		t.Error("still signed in to the console after signing out of the web app")
	}
}

func TestInvitedMemberJoinsAndIsRemoved(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	owner := enter(t, s, "layla")
	owner.press(owner.open("/").Page, "Create account", fill{text: map[string]string{"Name": "Layla Works"}})
	other := scene.New(t)
	guest := enter(t, other, "layla")
	at := owner.press(owner.open("/team").Page, "Invite", fill{text: map[string]string{"Email": guest.Email}})
	link := regexp.MustCompile(regexp.QuoteMeta(owner.url) + `/invitations/\S+`).FindString(at.Page.Text())
	if link == "" {
		t.Fatalf("the page shows no link: %s", at.Page.Text())
	}
	expect.Eventually(t, "the guest gets an email with the link", func(context.Context) error {
		for _, m := range mailbox.Of(t, s.Stack, guest.Email) {
			if m.Link(t) == link {
				return nil
			}
		}
		return errors.New("no such email")
	})
	if at := expect.Must(owner.Open(t.Context(), link))(t); at.Status != http.StatusNotFound {
		t.Errorf("a different person opens the invitation: %d", at.Status)
	}
	at = expect.Must(guest.Open(t.Context(), link))(t)
	at = guest.press(at.Page, "Join", fill{})
	if !strings.Contains(at.Page.Text(), "Layla Works") || guest.open("/apps").Page.Has("link", "Create app") {
		t.Errorf("the guest is not a viewer of the account: %s", at.Page.Text())
	}
	expect.Eventually(t, "the owner gets an email", func(context.Context) error {
		for _, m := range mailbox.Of(t, s.Stack, owner.Email) {
			if strings.Contains(m.Text, guest.Email) && m.Link(t) == owner.url+"/team" {
				return nil
			}
		}
		return errors.New("no such email")
	})
	team := owner.open("/team").Page
	var ask person.Visit
	for _, row := range team.All("row", "") {
		if strings.Contains(row.Text(), guest.Email) {
			b := expect.Must(row.One("button", "Remove"))(t)
			ask = expect.Must(owner.Press(t.Context(), expect.Must(team.FormOf(b))(t), b))(t)
		}
	}
	if ask.Page == nil {
		t.Fatalf("the guest is not in the team: %s", team.Text())
	}
	owner.press(ask.Page, "Yes, remove", fill{})
	if at := guest.open("/apps"); at.Page.URL.Path != "/accounts/new" {
		t.Errorf("a removed member still sees %s", at.Page.URL)
	}
}
