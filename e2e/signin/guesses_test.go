package signin_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
)

// The attacker and the owner share an IP address. A browser in which the owner has signed in before is
// not slowed down, even after wrong passwords.
func TestKnownBrowserSignsInUnderAttack(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	owner, apps := s.World.People[0], s.Stack.AppURLs[0]+"/connections"
	d := newDevice(t, "known", english, browser.Options{})
	d.Open(apps)
	d.signInAs(owner)
	d.FindWith("heading", "Connected apps")
	d.Find("button", "Sign out").Click()
	d.Find("button", d.signIn)

	guesser := person.New(owner.Email, "not the password")
	at := expect.Must(guesser.Open(t.Context(), apps))(t)
	for at.Status != http.StatusTooManyRequests {
		if at = expect.Must(guesser.SignIn(t.Context(), at.Page))(t); at.Page == nil || !at.Page.Has("button", person.SignInButton) {
			t.Fatal("the guesser is signed in")
		}
	}
	if at.Header.Get("Retry-After") == "" || !strings.Contains(at.Page.Text(), "Try again in ") {
		t.Errorf("the page does not state how long to wait: %s", at.Page.Text())
	}

	wrong := owner
	wrong.Password = "a typing error"
	for range 3 {
		d.Open(apps)
		d.signInAs(wrong)
		d.Find("alert", "")
	}
	d.Open(apps)
	d.signInAs(owner)
	d.FindWith("heading", "Connected apps")
}
