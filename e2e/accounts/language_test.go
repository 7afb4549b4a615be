package accounts_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestLanguageIsPerAccountAndBrowser(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	account, email := s.Stack.AppURLs[0]+"/account", s.World.People[0].Email
	enters := func(l labels, o browser.Options) device {
		t.Helper()
		d := newDevice(t, l, o)
		d.Open(account)
		d.send(l.signIn, l.email, email, l.password, world.Password)
		d.Gone("button", l.signIn)
		return d
	}
	shows := func(d device, l labels, what string) {
		t.Helper()
		d.labels = l
		d.Find("heading", l.account)
		d.checkPage(what)
	}

	here := enters(english, browser.Options{Width: 320, Height: 640, NoScript: true})
	shows(here, english, "no language is selected")
	here.Find("combobox", "Language").Focus()
	here.Press(kb.ArrowDown)
	here.Find("button", "Save language").Click()
	here.Find("status", "")
	shows(here, arabic, "Arabic is selected for the account")

	elsewhere := enters(english, browser.Options{})
	shows(elsewhere, arabic, "in a different browser")
	elsewhere.Find("button", "English").Click()
	elsewhere.Gone("button", "English")
	shows(elsewhere, english, "after switching")
	elsewhere.Open(s.Stack.AppURLs[0] + "/connections")
	if elsewhere.Lang() != "en" {
		t.Errorf("the next page is in %s", elsewhere.Lang())
	}
	here.Reload()
	shows(here, arabic, "after a different browser switched")

	stranger := newDevice(t, english, browser.Options{})
	stranger.Open(s.Stack.AppURLs[0] + "/reset")
	stranger.send(english.resetSend, english.email, email)
	if m := mailbox.Await(t, s.Stack, email, 1); m.Subject != arabic.resetMail {
		t.Errorf("the email is %q", m.Subject)
	}
}
