package accounts_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stored"
	"vitae.internal/e2e/internal/world"
)

// onLocalhost returns a URL of a local stack with the host localhost, because browsers do not create
// passkeys for IP addresses.
func onLocalhost(address string) string {
	return strings.Replace(address, "//127.0.0.1:", "//localhost:", 1)
}

// signInWithPasskey signs in with a passkey and opens the account page.
func (d device) signInWithPasskey(app string) {
	d.t.Helper()
	d.Open(app + "/sign-in?return=%2Faccount")
	d.Find("button", d.usePasskey).Click()
	d.Find("heading", d.account)
}

func (d device) signsOut() {
	d.t.Helper()
	d.Find("banner", "").Find("button", d.signOut).Click()
	d.Find("button", d.usePasskey)
}

// expireConfirmation makes a person's sessions and their last confirmations 15 minutes old.
func expireConfirmation(t *testing.T, s *scene.Scene, email string) {
	t.Helper()
	done := expect.Must(stored.Database(t, s.Stack, "auth").Exec(t.Context(), `UPDATE sessions SET created_at = created_at - interval '15 minutes', proved_at = NULL
		WHERE person_id = (SELECT id FROM people WHERE email_key = lower($1))`, email))(t)
	if done.RowsAffected() == 0 {
		t.Fatal("the person is not signed in")
	}
}

// A person adds a passkey, signs in with it, removes the password, cannot remove the last sign-in
// method, and reads the account activity.
func TestPasskeyReplacesPassword(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		labels labels
		device browser.Options
	}{
		"en-desktop": {english, browser.Options{}},
		"ar-phone":   {arabic, browser.Options{Width: 360, Height: 740}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scene.New(t)
			email, app := s.World.People[0].Email, onLocalhost(s.Stack.AppURLs[0])
			d := newDevice(t, c.labels, c.device)
			finger := d.Authenticator()
			d.Open(app + "/sign-in?return=%2Faccount")
			d.Find("button", d.usePasskey)
			d.checkPage("sign-in")
			d.send(d.signIn, d.email, email, d.password, world.Password)
			d.Find("heading", d.account)
			expireConfirmation(t, s, email)
			d.Find("link", d.addPasskey).Click()
			d.Find("heading", d.isItYou)
			d.checkPage("confirmation with the password")
			d.send(d.continues, d.current, "another password")
			d.until(d.wrong)
			d.send(d.continues, d.current, world.Password)
			d.Find("button", d.createPasskey)
			d.checkPage("a new passkey")
			finger.Recognizes(false)
			d.Find("button", d.createPasskey).Click()
			d.until(d.cancelled)
			d.checkPage("a new passkey, canceled")
			finger.Recognizes(true)
			d.Find("button", d.createPasskey).Click()
			d.until(d.added)
			d.checkPage("account with a passkey")
			if finger.Passkeys() != 1 {
				t.Fatalf("the device has %d passkeys, want 1", finger.Passkeys())
			}
			if m := mailbox.Await(t, s.Stack, email, 1); m.Subject != d.passkeyAdded || !strings.Contains(m.Text, "Chrome") || !strings.Contains(m.HTML, `dir="`+d.direction+`"`) {
				t.Errorf("the notice is %q: %s", m.Subject, m.Text)
			}
			d.signsOut()
			finger.Recognizes(false)
			d.Find("button", d.usePasskey).Click()
			d.until(d.cancelled)
			finger.Recognizes(true)
			d.signInWithPasskey(app)

			d.Find("link", d.rename).Click()
			d.Find("button", d.saveName)
			d.checkPage("renaming a passkey")
			d.send(d.saveName, d.name, "مفتاح المكتب")
			d.until("مفتاح المكتب")

			d.Find("link", d.removePassword).Click()
			d.Find("button", d.yesRemove)
			d.checkPage("removing the password")
			d.Find("button", d.yesRemove).Click()
			d.Find("button", d.setPassword)
			d.checkPage("account without a password")
			d.Find("link", d.remove).Click()
			d.Find("button", d.yesRemove)
			d.checkPage("removing a passkey")
			d.Find("button", d.yesRemove).Click()
			d.until(d.keepPasskey)
			d.signsOut()
			d.checkPage("sign-in with the passkey first")
			finger.Suggests()
			d.Open(app + "/sign-in?return=%2Faccount")
			d.Find("heading", d.account) // without a click

			// After ten minutes the person must confirm again, and then returns to the page.
			expireConfirmation(t, s, email)
			d.Find("link", d.addPasskey).Click()
			d.Find("heading", d.isItYou)
			d.checkPage("confirmation with a passkey")
			finger.Recognizes(false)
			d.Find("button", d.showPasskey).Click()
			d.until(d.cancelled)
			finger.Recognizes(true)
			d.Find("button", d.showPasskey).Click()
			d.Find("button", d.createPasskey)

			// Deleting the account and setting a first password also require confirmation.
			expireConfirmation(t, s, email)
			d.Open(app + "/account/data")
			d.checkPage("data, before the confirmation")
			d.Find("button", d.deleteAccount).Click()
			d.Find("button", d.showPasskey).Click()
			d.Find("button", d.sureDelete).Click()
			d.Find("button", d.keepAccount).Click()
			d.Find("button", d.deleteAccount)
			d.Open(app + "/account")
			d.send(d.setPassword, d.newPassword, newPassword)
			d.until(d.changed)
			signIn(t, s, email, newPassword, true)

			d.Find("link", d.activity).Click()
			d.Find("heading", d.activity)
			d.until(d.newPasskey)
			d.checkPage("activity")
		})
	}
}

// A new account can have a passkey instead of a password, created with only the keyboard.
func TestNewAccountNeedsNoPassword(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	email := "new-" + world.Unique() + "@example.com"
	d := newDevice(t, english, browser.Options{})
	d.Authenticator()
	d.Open(onLocalhost(s.Stack.AppURLs[0]) + "/sign-up?return=%2Faccount")
	d.send(d.create, d.name, "Noor Saleh", d.email, email, d.password, newPassword)
	d.Find("heading", d.mailbox)
	link := mailbox.Await(t, s.Stack, email, 1).Link(t)
	d.Open(link) // on an IP address, where the page links to the host for passkeys
	d.until("Passkeys aren’t available")
	d.checkPage("sign-up confirmation on an IP address")
	d.FindWith("link", "localhost").Click()
	d.Find("button", d.passkeyInstead)
	d.checkPage("sign-up confirmation")
	for d.Focused().Name() != d.passkeyInstead {
		d.Press(kb.Tab)
	}
	d.Press(kb.Enter)
	d.Find("heading", d.account)
	d.until(d.noPassword)
	signIn(t, s, email, newPassword, false) // a stranger may have chosen it
	d.signsOut()
	d.signInWithPasskey(onLocalhost(s.Stack.AppURLs[0]))
	if got := mailbox.SignIns(t, s.Stack, email); len(got) != 0 {
		t.Errorf("a notice about a new browser for the browser that created the account: %q", got[0].Text)
	}
}
