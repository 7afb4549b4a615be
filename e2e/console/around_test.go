package console_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

// (behaviour: console#a-suspended-account)
func TestASuspendedAccountReadsWhyOnEveryPageAndFindsNoFormThere(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	furnish(t, s)
	v := enter(t, s, "layla")
	app := expect.Must(v.open("/apps").Page.One("link", "App "+hostile))(t).Attr("href")
	account := accountID.FindString(v.open("/settings").Page.Text())
	reason := "One key was used from a hundred addresses. " + hostile + " https://vitae.example/" + strings.Repeat("trust-and-safety-", 9)
	s.Exits(t, 0, "account", "suspend", account, "--reason", reason)
	d := newDesk(t, s, browser.Options{})
	d.enter()
	for name, path := range map[string]string{
		"overview": "/", "app": app, "keys": app + "/keys", "limits": "/limits", "team": "/team", "settings": "/settings", "requests": "/requests", "audit": "/audit",
	} {
		d.Open(d.url + path)
		if told := d.Find("complementary", "Suspension").Text(); !strings.Contains(told, "This account is suspended since") || !strings.Contains(told, hostile) {
			t.Errorf("%s: %s", path, told)
		}
		if strings.Contains(d.Text(), "can ask for another plan") {
			t.Errorf("%s tells an owner that owners can ask for another plan, which is refused", path)
		}
		for _, b := range []string{"Create key", "Delete app", "Save changes", "Invite", "Close the account", "Ask for another plan"} {
			if d.Has("button", b) {
				t.Errorf("%s of a suspended account has the button %s", path, b)
			}
		}
		// What a suspension adds is the same on every page.
		if name == "overview" || name == "keys" {
			d.inspect("suspended-" + name)
		} else {
			d.fits("suspended-" + name)
		}
	}
}

// (behaviour: console#forms-of-another-release)
func TestAFormOfAnotherReleaseKeepsWhatWasTypedInABrowser(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	furnish(t, s)
	d := newDesk(t, s, browser.Options{})
	d.enter()
	d.Open(d.url + "/apps/new")
	d.Find("textbox", "Terms").Remove()
	d.write("Name", "Second "+hostile)
	d.write("Redirect URIs", "https://layla.example/"+strings.Repeat("callback-", 20))
	d.press("button", "Create app")
	d.Find("heading", "This form is out of date")
	if page := d.Text(); !strings.Contains(page, "which lacks: Terms.") || !strings.Contains(page, "Second "+hostile) {
		t.Errorf("the page of an old form: %s", page)
	}
	d.tabTo("link", "Open the form in a new tab")
	d.inspect("old-form")
	d.Open(d.url + "/apps")
	d.Find("heading", "Apps")
	if d.Has("link", "Second "+hostile) {
		t.Error("an old form has made an app")
	}
}

// A person without a pointer goes to another account by the button.
func TestTheMenuOfAPhoneLeadsToAnotherAccountByKeyboardAndWithoutScripts(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	d := newDesk(t, s, browser.Options{NoScript: true, Width: 320, Height: 640})
	d.keyboard = true
	d.enter()
	d.write("Name", "First Works")
	d.press("button", "Create account")
	d.Find("heading", "Overview")
	d.fromMenu("New account")
	d.write("Name", "Second "+strings.Repeat("works", 12))
	d.press("button", "Create account")
	d.FindWith("DisclosureTriangle", "Menu Second")
	d.fromMenu("Settings")
	d.Find("heading", "Settings")
	d.tabUntil("the button of the menu", func(f browser.Element) bool { return strings.HasPrefix(f.Name(), "Menu") })
	d.Press(kb.Enter)
	d.tabTo("combobox", "Account")
	d.Press(kb.Home)
	d.press("button", "Switch")
	d.Until("the first account", func() bool { return strings.Contains(d.FindWith("DisclosureTriangle", "Menu").Name(), "First Works") })
	if wider := d.Overflow(); wider > 0 {
		t.Errorf("%d px wider than the window", wider)
	}
}
