package signin_test

import (
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestAPersonWhoIsSignedInIsNotAskedForThePasswordAgain(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	request := c.App.NewRequest("profile")
	visit := expect.Must(c.Person.Open(t.Context(), c.App.URL(request)))(t)
	if visit.Page == nil {
		t.Fatalf("no consent page: %+v", visit)
	}
	if _, short := person.ContinueButton(visit.Page); !short {
		t.Fatalf("no button to continue: %s", visit.Page.Text())
	}
}

func TestAWrongPasswordAndAnUnknownAddressGetTheSameAnswer(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	var shown []string
	for _, visitor := range []*person.Person{
		person.New(s.World.People[0].Email, "not the password"),
		person.New("nobody-"+world.Unique()+"@example.com", world.Password),
	} {
		at := expect.Must(visitor.Open(t.Context(), s.Stack.AppURLs[0]+"/connections"))(t)
		visit := expect.Must(visitor.SignIn(t.Context(), at.Page))(t)
		if visit.Page == nil || !visit.Page.Has("button", person.SignInButton) {
			t.Fatalf("signed in as %s", visitor.Email)
		}
		shown = append(shown, visit.Page.Text())
	}
	if shown[0] != shown[1] {
		t.Errorf("the answers differ:\n%s\n%s", shown[0], shown[1])
	}
}

func TestSessionIsRenewedAtSignInAndHiddenFromScript(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	layla := s.NewPerson(t, "layla")
	base := expect.Must(url.Parse(s.Stack.AppURLs[0]))(t)
	page := expect.Must(layla.Open(t.Context(), base.String()+"/connections"))(t)
	before := cookieValues(layla, base)
	signedIn := expect.Must(layla.SignIn(t.Context(), page.Page))(t)
	if !signedIn.Page.Has("heading", "Connected apps") {
		t.Fatalf("not signed in: %s", signedIn.Page.Text())
	}
	renewed := false
	for value := range cookieValues(layla, base) {
		renewed = renewed || !before[value]
	}
	if !renewed {
		t.Error("the sign-in set no new cookie")
	}
	if len(layla.SetCookies) == 0 {
		t.Error("no cookie was set")
	}
	for _, line := range layla.SetCookies {
		if !strings.Contains(line, "HttpOnly") || !strings.Contains(line, "SameSite") {
			t.Errorf("Set-Cookie: %s", line)
		}
	}
}

func cookieValues(p *person.Person, at *url.URL) map[string]bool {
	values := map[string]bool{}
	for _, c := range p.Cookies(at) {
		values[c.Value] = true
	}
	return values
}

func TestSignInRedirectsToNoOtherSite(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	for _, name := range []string{"return", "next", "redirect", "to"} {
		for _, target := range []string{"https://evil.example.com/", "//evil.example.com/", `/\evil.example.com/`, "javascript:alert(1)", "/%5cevil.example.com"} {
			layla := s.NewPerson(t, "layla")
			page := expect.Must(layla.Open(t.Context(), s.Stack.AppURLs[0]+"/sign-in?"+name+"="+url.QueryEscape(target)))(t)
			if page.Outside == nil && page.Page.Has("button", person.SignInButton) {
				page = expect.Must(layla.SignIn(t.Context(), page.Page))(t)
			}
			if page.Outside != nil {
				t.Errorf("%s=%s leads to %s", name, target, page.Outside)
			}
		}
	}
}

func TestSignedOutBrowserIsAskedToSignInAgain(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	page := expect.Must(c.Person.Connections(t.Context(), c.Stack.AppURLs[0]))(t)
	button := expect.Must(page.One("button", "Sign out"))(t)
	form := expect.Must(page.FormOf(button))(t)
	expect.Must(c.Person.Press(t.Context(), form, button))(t)
	visit := expect.Must(c.Person.Open(t.Context(), c.Stack.AppURLs[0]+"/connections"))(t)
	if !visit.Page.Has("button", person.SignInButton) {
		t.Errorf("still signed in: %s", visit.Page.Text())
	}
	c.Alive(t, c.Tokens.Access) // signing out of the pages ends no connection
}
