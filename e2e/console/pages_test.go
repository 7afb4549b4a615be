package console_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

// hostile is a name that would run a script if a page treated it as markup.
const hostile = `"><script>broken=1</script><img src=x onerror=broken=1>'`

// createHostileNames creates an account with one object of every kind, all with hostile names. It
// returns the link of an invitation for the person of s.
func createHostileNames(t *testing.T, s *scene.Scene) (invitation string) {
	t.Helper()
	v := enter(t, s, "layla")
	v.press(v.open("/").Page, "Create account", fill{text: map[string]string{"Name": "Account " + hostile}})
	v.press(v.open("/apps/new").Page, "Create app", fill{text: map[string]string{
		"Name": "App " + hostile, "Description": hostile, "Redirect URIs": "https://layla.example/callback",
	}})
	app := expect.Must(v.open("/apps").Page.One("link", "App "+hostile))(t).Attr("href")
	key := newCredential(t, v.press(v.open(app+"/keys").Page, "Create key", fill{text: map[string]string{"Name": "Key " + hostile}, ticks: []string{"companies:read"}}))
	for _, path := range []string{"/v1/companies", "/v1/companies/cmp_unknown/jobs"} {
		scene.Raw(t, http.MethodGet, s.Stack.BaseURLs[0]+path, "", "", "Authorization", "Bearer "+key, "User-Agent", hostile)
	}
	expect.Eventually(t, "the requests are in the log", func(context.Context) error {
		if at := v.open("/requests"); strings.Count(at.Page.Text(), "req_") < 2 {
			return errors.New(at.Page.Text())
		}
		return nil
	})
	v.press(v.open("/team").Page, "Invite", fill{text: map[string]string{"Email": "somebody@example.com"}})

	host := scene.New(t)
	other := enter(t, host, "layla")
	other.press(other.open("/").Page, "Create account", fill{text: map[string]string{"Name": "Host " + hostile}})
	invited := func(by, who visitor) string {
		at := by.press(by.open("/team").Page, "Invite", fill{text: map[string]string{"Email": who.Email}})
		return regexp.MustCompile(regexp.QuoteMeta(v.url) + `/invitations/\S+`).FindString(at.Page.Text())
	}
	invitation = invited(other, v)
	other.press(expect.Must(other.Open(t.Context(), invited(v, other)))(t).Page, "Join", fill{})
	return invitation
}

// The test follows all links from the navigation, so it includes new pages.
func TestEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	invitation := createHostileNames(t, s)
	d := newDesk(t, s, browser.Options{})
	d.enter()
	d.Find("navigation", "Console")
	seen := map[string]bool{"": true}
	var kinds []string
	queue := []string{d.url + "/", d.url + "/accounts/new", d.url + "/nowhere", d.url + "/apps/app_unknown", invitation}
	for len(queue) > 0 {
		target := queue[0]
		queue = queue[1:]
		kind := d.kind(target)
		if seen[kind] {
			continue
		}
		seen[kind] = true
		if target == invitation {
			kind = "/invitations"
		}
		kinds = append(kinds, kind)
		d.Open(target)
		d.Find("contentinfo", "")
		d.inspect(kind)
		queue = append(queue, d.Links()...)
	}
	d.Open(d.url + "/signed-out")
	d.inspect("/signed-out")
	for _, known := range []string{
		"/", "/apps", "/apps/new", "/apps/app_", "/apps/app_/delete", "/apps/app_/keys", "/apps/app_/keys/key_/delete", "/apps/app_/secrets/sec_/delete",
		"/usage", "/requests", "/requests/req_", "/limits", "/team", "/team/usr_/remove", "/audit", "/settings", "/settings/close",
	} {
		if !slices.Contains(kinds, known) {
			t.Errorf("no link leads to %s; found: %s", known, strings.Join(kinds, " "))
		}
	}
	t.Logf("%d kinds of pages: %s", len(kinds), strings.Join(kinds, " "))
}

func TestFormResultsAreAccessible(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	createHostileNames(t, s)
	d := newDesk(t, s, browser.Options{})
	d.enter()

	d.Open(d.url + "/apps/new")
	d.write("Name", "Second "+hostile)
	d.write("Redirect URIs", "not a URL")
	d.press("button", "Create app")
	d.Find("heading", "Something isn’t right")
	d.inspect("app-errors")
	d.Open(d.url + "/apps/new")
	d.write("Name", "Second "+hostile)
	d.press("button", "Create app")
	d.Find("region", "Copy it now")
	d.inspect("app-created")

	d.press("link", "API keys")
	d.Find("button", "Create key")
	d.write("Name", "ats")
	d.press("button", "Create key")
	d.Find("heading", "Something isn’t right")
	d.inspect("key-errors")
	d.tick("companies:read")
	d.press("button", "Create key")
	d.Find("region", "Copy it now")
	d.inspect("key-created")

	d.Open(d.url + "/team")
	d.write("Email", "guest@example.com")
	d.press("button", "Invite")
	d.Find("region", "Copy it now")
	d.inspect("invited")

	d.Open(d.url + "/settings/close")
	d.write("Type the name of the account to confirm", "another")
	d.press("button", "Yes, close the account")
	d.Find("heading", "Something isn’t right")
	d.inspect("close-errors")
}

func TestKeyboardSufficesWithoutScripts(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	d := newDesk(t, s, browser.Options{NoScript: true, Width: 390, Height: 844})
	d.keyboard = true
	d.enter()

	d.write("Name", "Layla Works")
	d.press("button", "Create account")
	d.press("link", "Create app") // the first step of the overview
	d.write("Name", "Layla Hiring")
	d.write("Redirect URIs", "https://layla.example/callback")
	d.tick("email")
	d.press("button", "Create app")
	if secret := d.Find("region", "Copy it now").Text(); !strings.Contains(secret, "svc_cs_") {
		t.Errorf("no client secret: %s", secret)
	}
	d.press("link", "API keys")
	d.write("Name", "laptop")
	d.tick("companies:read")
	d.press("button", "Create key")
	key := onceShown.FindString(d.Find("region", "Copy it now").Text())
	if status := scene.Raw(t, http.MethodGet, s.Stack.BaseURLs[0]+"/v1/companies", "", "", "Authorization", "Bearer "+key).Status; status != http.StatusOK {
		t.Errorf("a request with the new key: status %d", status)
	}
	d.press("button", "Delete")
	d.press("button", "Yes, delete")
	d.Find("status", "")
	if d.Has("table", "API keys") {
		t.Error("the deleted key is still listed")
	}

	d.fromMenu("Team")
	d.write("Email", "guest@example.com")
	d.press("button", "Invite")
	d.Find("region", "Copy it now")
	d.press("button", "Withdraw")
	d.Gone("table", "Invitations")

	d.fromMenu("Limits")
	d.Find("radio", "Custom") // waits for the page: nothing has the focus during loading
	d.tabUntil("a plan", func(f browser.Element) bool { return f.Role() == "radio" })
	for !d.Find("radio", "Custom").Checked() {
		d.Press(kb.ArrowDown)
	}
	d.write("Requests a minute", "2,000")
	d.write("Requests a day", "500,000")
	d.write("Reason", "We launch in March.")
	d.press("button", "Ask for another plan")
	if asked := d.Find("region", "You’ve asked for another plan").Text(); !strings.Contains(asked, "Custom, 2,000 requests a minute and 500,000 a day") {
		t.Errorf("the request for a plan: %s", asked)
	}

	d.fromMenu("Apps")
	d.press("link", "Layla Hiring")
	d.press("button", "Delete app")
	d.write("Type the name of the app to confirm", "Layla Hiring")
	d.press("button", "Yes, delete")
	d.Find("status", "")
	if d.Has("link", "Layla Hiring") {
		t.Error("the deleted app is still listed")
	}
	d.press("button", "Sign out")
	d.Find("heading", "You’re signed out")
}

// A browser asks for confirmation before it submits a form again. Confirming must not create a second
// key.
func TestReloadAndBackRepeatNoAction(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	d := newDesk(t, s, browser.Options{})
	d.enter()
	d.write("Name", "Layla Works")
	d.press("button", "Create account")
	d.press("link", "Create app") // the first step of the overview
	d.write("Name", "Layla Hiring")
	d.press("button", "Create app")
	secret := onceShown.FindString(d.Find("region", "Copy it now").Text())
	d.Reload()
	d.Until("the notice", func() bool { return strings.Contains(d.Text(), "This form was already sent") })
	if apps := d.All("rowheader"); len(apps) != 1 || strings.Contains(d.Text(), secret) {
		t.Errorf("the reload created a second app or shows the secret: %s", d.Text())
	}
	d.press("link", "Layla Hiring")
	d.press("link", "API keys")
	d.Find("button", "Create key")
	d.write("Name", "laptop")
	d.tick("companies:read")
	d.press("button", "Create key")
	secret = onceShown.FindString(d.Find("region", "Copy it now").Text())
	d.press("link", "Team")
	d.Find("heading", "Team")
	d.Back()
	if strings.Contains(d.Text(), secret) {
		t.Error("the back button shows the key again")
	}
	d.Reload()
	d.Until("the notice", func() bool { return strings.Contains(d.Text(), "This form was already sent") })
	if strings.Contains(d.Text(), secret) || len(d.All("rowheader")) != 1 {
		t.Errorf("the form was processed again: %s", d.Text())
	}
}
