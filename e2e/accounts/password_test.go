package accounts_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestPasswordResetEndsSessions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		labels labels
		device browser.Options
	}{
		"en-phone":   {english, browser.Options{Width: 360, Height: 740}},
		"ar-desktop": {arabic, browser.Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scene.New(t)
			email := s.World.People[0].Email
			elsewhere := signIn(t, s, email, world.Password, true)

			d := newDevice(t, c.labels, c.device)
			d.Open(s.Stack.AppURLs[0] + "/sign-in?return=%2Faccount")
			d.Find("button", d.showPassword).Click()
			d.checkPage("sign-in")
			d.Find("link", d.forgotLink).Click()
			d.Find("button", d.resetSend)
			d.checkPage("reset")
			d.send(d.resetSend, d.email, email)
			d.Find("heading", d.mailbox)
			d.checkPage("reset sent")
			m := mailbox.Await(t, s.Stack, email, 1)
			if m.Subject != d.resetMail {
				t.Errorf("the email is %q", m.Subject)
			}
			d.Open(m.Link(t))
			d.Find("button", d.savePassword)
			d.checkPage("reset choose")
			d.send(d.savePassword, d.newPassword, "short")
			d.until(d.short)
			d.send(d.savePassword, d.newPassword, newPassword)
			d.until(d.changed)
			d.send(d.signIn, d.email, email, d.password, newPassword)
			d.Find("heading", d.account) // the page that the person wanted to open
			d.checkPage("account")
			if list := d.Find("list", d.sessions); !strings.Contains(list.Text(), "Chrome") {
				t.Errorf("the sessions are %s", list.Text())
			}

			if notice := mailbox.Await(t, s.Stack, email, 2); notice.Subject != d.changedSubject {
				t.Errorf("the notice is %q", notice.Subject)
			}
			if at := expect.Must(elsewhere.Open(t.Context(), s.Stack.AppURLs[0]+"/account"))(t); !at.Page.Has("button", person.SignInButton) {
				t.Error("a session from before the reset still works")
			}
			signIn(t, s, email, world.Password, false)
			if at := expect.Must(person.New("", "").Open(t.Context(), m.Link(t)))(t); at.Status != 410 {
				t.Errorf("the link works twice: %d", at.Status)
			}
		})
	}
}

func TestResetHidesUnknownAddress(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	owner, nobody := s.World.People[0].Email, "nobody-"+world.Unique()+"@example.com"
	var shown []string
	for _, email := range []string{nobody, owner} {
		at := fillIn(t, person.New("", ""), s.Stack.AppURLs[0]+"/reset", english.resetSend, map[string]string{english.email: email})
		shown = append(shown, at.Page.URL.String()+strings.ReplaceAll(at.Page.Text(), email, "the address"))
	}
	if shown[0] != shown[1] || !strings.Contains(shown[0], english.mailbox) {
		t.Errorf("the pages differ:\n%s\n%s", shown[0], shown[1])
	}
	mailbox.Await(t, s.Stack, owner, 1) // the last request
	if got := mailbox.Of(t, s.Stack, nobody); len(got) != 0 {
		t.Errorf("an email address without an account got %q", got[0].Subject)
	}
}

func TestPasswordChangeEndsOtherSessions(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	account, email := s.Stack.AppURLs[0]+"/account", s.World.People[0].Email
	here, elsewhere := signIn(t, s, email, world.Password, true), signIn(t, s, email, world.Password, true)

	at := fillIn(t, here, account, english.change, map[string]string{english.current: "not the password", english.newPassword: newPassword})
	if !strings.Contains(at.Page.Text(), english.wrong) {
		t.Fatalf("a wrong password: %s", at.Page.Text())
	}
	at = submit(t, here, at, english.change, map[string]string{english.current: world.Password, english.newPassword: "password123"})
	if !strings.Contains(at.Page.Text(), "too common") {
		t.Fatalf("a common password: %s", at.Page.Text())
	}
	at = submit(t, here, at, english.change, map[string]string{english.current: world.Password, english.newPassword: newPassword})
	if !at.Page.Has("heading", english.account) || !strings.Contains(at.Page.Text(), english.changed) {
		t.Fatalf("changing the password: %d %s", at.Status, at.Page.Text())
	}
	if at := expect.Must(elsewhere.Open(t.Context(), account))(t); !at.Page.Has("button", person.SignInButton) {
		t.Error("the other session still works")
	}
	if notice := mailbox.Await(t, s.Stack, email, 1); notice.Subject != english.changedSubject {
		t.Errorf("the notice is %q", notice.Subject)
	}
	signIn(t, s, email, world.Password, false)
	signIn(t, s, email, newPassword, true)
}

func TestPersonSignsOutSessions(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	account, email := s.Stack.AppURLs[0]+"/account", s.World.People[0].Email
	here, first, second := signIn(t, s, email, world.Password, true), signIn(t, s, email, world.Password, true), signIn(t, s, email, world.Password, true)
	isIn := func(p *person.Person) bool {
		t.Helper()
		return !expect.Must(p.Open(t.Context(), account))(t).Page.Has("button", person.SignInButton)
	}
	at := expect.Must(here.Open(t.Context(), account))(t)
	list := expect.Must(at.Page.One("region", english.sessions))(t)
	buttons := list.All("button", english.signOut)
	if len(buttons) != 3 {
		t.Fatalf("%d sessions can be signed out, want 3", len(buttons))
	}
	// The page lists the most recently used session first; the session of this browser is marked.
	ended := buttons[1]
	form := expect.Must(at.Page.FormOf(ended))(t)
	at = expect.Must(here.Press(t.Context(), form, ended))(t)
	if got := len(expect.Must(at.Page.One("region", english.sessions))(t).All("button", english.signOut)); got != 2 {
		t.Errorf("%d sessions are left, want 2", got)
	}
	all := expect.Must(at.Page.One("button", english.everywhere))(t)
	at = expect.Must(here.Press(t.Context(), expect.Must(at.Page.FormOf(all))(t), all))(t)
	if !at.Page.Has("button", person.SignInButton) || isIn(here) || isIn(first) || isIn(second) {
		t.Error("a browser is still signed in")
	}
}

// Sign-ups by strangers with an owner's email address do not count against the limit on reset emails. Addresses
// that differ only in their plus tags share a limit of five sign-up emails.
func TestSignUpsDoNotBlockResetEmails(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	owner := s.World.People[0].Email
	var tagged []string
	for i := range 6 {
		tagged = append(tagged, strings.Replace(owner, "@", fmt.Sprint("+", i, "@"), 1))
	}
	for _, email := range append(tagged, owner) {
		fillIn(t, person.New("", ""), s.Stack.AppURLs[0]+"/sign-up", english.create, map[string]string{
			english.name: "Stranger", english.email: email, english.password: newPassword,
		})
	}
	fillIn(t, person.New("", ""), s.Stack.AppURLs[0]+"/reset", english.resetSend, map[string]string{english.email: owner})
	if m := mailbox.Await(t, s.Stack, owner, 1); m.Subject != english.resetMail { // the last request
		t.Errorf("the email is %q", m.Subject)
	}
	expect.Eventually(t, "five sign-up emails", func(context.Context) error {
		sent := 0
		for _, email := range tagged {
			sent += len(mailbox.Of(t, s.Stack, email))
		}
		if sent != 5 {
			return fmt.Errorf("%d emails", sent)
		}
		return nil
	})
}
