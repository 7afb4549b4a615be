package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// A stranger can request an email to anyone, and can own an app.
// (behaviour: accounts#after-an-emailed-link)
func TestEmailedLinkIgnoresStrangersReturn(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	owner, app := s.World.People[0].Email, s.Client(t, "other")
	toApp := "?return=" + strings.ReplaceAll(scene.Path(t, app.URL(app.NewRequest("profile"))), "&", "%26")
	fillIn(t, person.New("", ""), s.Stack.AppURLs[0]+"/reset"+toApp, english.resetSend, map[string]string{english.email: owner})
	victim := person.New(owner, newPassword)
	at := fillIn(t, victim, mailbox.Await(t, s.Stack, owner, 1).Link(t), english.savePassword, map[string]string{english.newPassword: newPassword})
	if strings.Contains(at.Page.Text(), s.AppName(t, "other")) {
		t.Errorf("the sign-in page names the stranger's app: %s", at.Page.Text())
	}
	at = expect.Must(victim.SignIn(t.Context(), at.Page))(t)
	if at.Page == nil || at.Page.URL.Path != "/connections" {
		t.Errorf("the person arrives at %+v", at)
	}

	other := "new-" + world.Unique() + "@example.com"
	fillIn(t, person.New("", ""), s.Stack.AppURLs[0]+"/sign-up"+toApp, english.create,
		map[string]string{english.name: "Noor", english.email: other, english.password: newPassword})
	at = fillIn(t, person.New("", ""), mailbox.Await(t, s.Stack, other, 1).Link(t), english.confirm, map[string]string{english.password: newPassword})
	if at.Page == nil || at.Page.URL.Path != "/connections" {
		t.Errorf("the new person arrives at %+v", at)
	}
}

// The email requests and the sign-in come from the same IP address. (behaviour: accounts#email-budgets)
func TestEmailRequestsDoNotSlowSignIn(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	const carrier = "127.0.20.1"
	stranger := person.New("", "").From(carrier)
	at := expect.Must(stranger.Open(t.Context(), s.Stack.AppURLs[0]+"/reset"))(t)
	for sent := 0; ; sent++ {
		res := submit(t, stranger, at, english.resetSend, map[string]string{english.email: fmt.Sprint("nobody-", sent, "-", world.Unique(), "@example.com")})
		if res.Status == http.StatusTooManyRequests {
			break
		}
		if sent > 200 {
			t.Fatal("reset requests are not limited")
		}
	}
	owner := s.NewPerson(t, "layla").From(carrier)
	at = expect.Must(owner.Open(t.Context(), s.Stack.AppURLs[0]+"/account"))(t)
	if at = expect.Must(owner.SignIn(t.Context(), at.Page))(t); at.Status != http.StatusOK || !at.Page.Has("heading", english.account) {
		t.Errorf("signing in: %d %s", at.Status, at.Page.Text())
	}
}

// (behaviour: audit#rate-of-events)
func TestPasswordGuessesAreInActivity(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	guess := func(email string) {
		t.Helper()
		guesser := person.New(email, "not the password").From("127.0.20.2")
		at := expect.Must(guesser.Open(t.Context(), s.Stack.AppURLs[0]+"/account"))(t)
		if at = expect.Must(guesser.SignIn(t.Context(), at.Page))(t); !at.Page.Has("button", person.SignInButton) {
			t.Fatalf("signed in as %s", email)
		}
	}
	for range 31 { // one more than the events recorded per IP address
		guess("nobody-" + world.Unique() + "@example.com")
	}
	for range 4 {
		guess(s.World.People[0].Email)
	}
	owner := signIn(t, s, s.World.People[0].Email, world.Password, true)
	expect.Eventually(t, "the activity shows all guesses of the person's password", func(ctx context.Context) error {
		at, err := owner.Open(ctx, s.Stack.AppURLs[0]+"/account/activity")
		if err == nil && strings.Count(at.Page.Text(), "Sign-in (refused)") != 4 {
			err = errors.New(at.Page.Text())
		}
		return err
	})
}

// behaviour: profiles#handles
func TestReleasedHandleStaysReserved(t *testing.T) {
	t.Parallel()
	other := world.Full()
	other.Ref, other.CVs = "other", nil
	s := scene.New(t, world.Full(), other)
	famous := s.World.People[0].Username
	owner, stranger := signIn(t, s, s.World.People[0].Email, world.Password, true), signIn(t, s, other.Email, world.Password, true)
	const taken = "Somebody else has this username."
	take := func(p *person.Person, handle string, free bool) {
		t.Helper()
		at := fillIn(t, p, s.Stack.AppURLs[0]+"/profile", editorEnglish.save, map[string]string{"Username": handle})
		if strings.Contains(at.Page.Text(), taken) == free {
			t.Errorf("%s: %d %s", handle, at.Status, at.Page.Text())
		}
	}
	for _, reserved := range []string{"admin", "vitae", "sup-port"} {
		take(stranger, reserved, false)
	}
	take(owner, "shy-"+world.Unique(), true)
	take(stranger, famous, false)
	if a := scene.Open(t, s.Stack.AppURLs[0]+"/p/"+famous); a.Status != http.StatusNotFound {
		t.Errorf("the page of the released handle: %d", a.Status)
	}
	take(owner, famous, true)
	if a := scene.Open(t, s.Stack.AppURLs[0]+"/p/"+famous); a.Status != http.StatusOK {
		t.Errorf("the page of the reclaimed handle: %d", a.Status)
	}
}
