package console_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/page"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
)

// createAccountAndApp creates an account with an app, and returns the path of the app's page.
func createAccountAndApp(v visitor) (app string) {
	v.t.Helper()
	v.press(v.open("/").Page, "Create account", fill{text: map[string]string{"Name": "Layla Works"}})
	v.press(v.open("/apps/new").Page, "Create app", fill{text: map[string]string{"Name": "Layla Hiring"}})
	return expect.Must(v.open("/apps").Page.One("link", "Layla Hiring"))(v.t).Attr("href")
}

var accountID = regexp.MustCompile(`dev_\w+`)

// keysOf returns the number of keys that the page of an app lists.
func keysOf(t *testing.T, p *page.Page) int {
	t.Helper()
	return len(p.All("rowheader", ""))
}

// readOnly reports whether no button of a page changes the account, except Remove, with which every
// member may leave. A hidden button has no name.
func readOnly(p *page.Page) bool {
	for _, b := range p.All("button", "") {
		if !slices.Contains([]string{"", "Sign out", "Filter", "Remove"}, b.Name()) {
			return false
		}
	}
	return true
}

func TestDisconnectedConsoleSignsOut(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	v := enter(t, s, "layla")
	app := createAccountAndApp(v)
	d := newDesk(t, s, browser.Options{})
	d.enter()
	d.Open(d.url + app + "/keys")
	d.write("Name", "late")
	d.tick("companies:read")
	if err := v.Disconnect(t.Context(), s.Stack.AppURLs[0], "Vitae Console"); err != nil {
		t.Fatal(err)
	}
	d.press("button", "Create key") // the form was opened before
	d.Find("button", person.Allow)  // the person is asked to connect the console again
	if strings.HasPrefix(d.URL(), d.url) || strings.Contains(d.Text(), "svc_sk_") {
		t.Errorf("the browser is still on the console: %s", d.URL())
	}
	d.press("button", person.Allow)
	d.Until("the console", func() bool { return strings.HasPrefix(d.URL(), d.url) })
	d.Open(d.url + app + "/keys")
	d.Find("heading", "API keys")
	if d.Has("table", "API keys") {
		t.Error("a form submitted after the disconnection created a key")
	}
}

func TestOpenFormsDoNothingAfterRemoval(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	owner := enter(t, s, "layla")
	app := createAccountAndApp(owner)
	guest := enter(t, scene.New(t), "layla")
	form := func(at *page.Page) *page.Form {
		f := expect.Must(at.FormOf(expect.Must(at.One("combobox", "Role"))(t)))(t)
		f.Fill(expect.Must(at.One("textbox", "Email"))(t), guest.Email)
		if err := f.Select(expect.Must(at.One("combobox", "Role"))(t), "developer"); err != nil {
			t.Fatal(err)
		}
		return f
	}
	team := owner.open("/team").Page
	invited := expect.Must(owner.Press(t.Context(), form(team), expect.Must(team.One("button", "Invite"))(t)))(t)
	link := regexp.MustCompile(regexp.QuoteMeta(owner.url) + `/invitations/\S+`).FindString(invited.Page.Text())
	guest.press(expect.Must(guest.Open(t.Context(), link))(t).Page, "Join", fill{})

	late := fill{text: map[string]string{"Name": "late"}, ticks: []string{"companies:read"}}
	open, account := guest.open(app+"/keys").Page, accountID.FindString(owner.open("/settings").Page.Text())
	s.Vitaectl(t, "account", "suspend", account)
	if at := guest.press(open, "Create key", late); at.Status != http.StatusForbidden {
		t.Errorf("creating a key in a suspended account: %d", at.Status)
	}
	for _, path := range []string{"/", "/apps", app, app + "/keys", "/team", "/audit", "/settings"} {
		at := owner.open(path)
		if at.Status != http.StatusOK || !strings.Contains(at.Page.Text(), "This account has been suspended") || !readOnly(at.Page) {
			t.Errorf("%s of a suspended account: %d, %s", path, at.Status, at.Page.Text())
		}
	}
	s.Vitaectl(t, "account", "resume", account)

	open = guest.open(app + "/keys").Page
	who := regexp.MustCompile(`/team/usr_\w+/remove`)
	var remove string
	for _, row := range owner.open("/team").Page.All("row", "") {
		if strings.Contains(row.Text(), guest.Email) {
			at := owner.open("/team").Page
			f := expect.Must(at.FormOf(expect.Must(row.One("button", "Remove"))(t)))(t)
			remove = expect.Must(f.Submit(expect.Must(row.One("button", "Remove"))(t)))(t).URL.Path
		}
	}
	if !who.MatchString(remove) {
		t.Fatalf("no button removes the guest: %q", remove)
	}
	owner.press(owner.open(remove).Page, "Yes, remove", fill{})
	if at := guest.press(open, "Create key", late); at.Page.URL.Path != "/accounts/new" {
		t.Errorf("a removed member is at %s (%d)", at.Page.URL, at.Status)
	}
	if at := guest.open(app + "/keys"); at.Page.URL.Path != "/accounts/new" {
		t.Errorf("a removed member sees %s", at.Page.URL)
	}
	if n := keysOf(t, owner.open(app+"/keys").Page); n != 0 {
		t.Errorf("%d keys were created", n)
	}

	open = owner.open(app + "/keys").Page
	s.Vitaectl(t, "account", "close", account, "--name", "Layla Works", "--yes")
	if at := owner.press(open, "Create key", late); at.Page.URL.Path != "/accounts/new" {
		t.Errorf("the owner of a closed account is at %s (%d)", at.Page.URL, at.Status)
	}
}

// The other site uses a different port of the same host, so the browser sends the cookies and the
// console must reject the form.
func TestFormsFromOtherSitesAreRejected(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	d := newDesk(t, s, browser.Options{})
	d.enter()
	d.write("Name", "Layla Works")
	d.press("button", "Create account")
	d.Find("heading", "Overview")
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>Evil</title><form method=post action="%s/team"><input name=email value=evil@example.com><input name=role value=owner>
			<input name=csrf value=guess><input name=form value=0123456789abcdef><button>Win</button></form>`, d.url)
	}))
	t.Cleanup(evil.Close)
	d.Open(evil.URL)
	d.Find("button", "Win").Click()
	d.Until("the console has responded", func() bool { return strings.HasPrefix(d.URL(), d.url) && !d.Has("button", "Win") })
	d.Find("contentinfo", "")
	if d.Has("region", "Copy it now") {
		t.Error("the other site created an invitation")
	}
	d.Open(d.url + "/team")
	d.Find("heading", "Team")
	if strings.Contains(d.Text(), "evil@example.com") {
		t.Error("the other site created an invitation")
	}
}
