package console_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
)

func TestMembersSeeConsentPageOfTheirApp(t *testing.T) {
	t.Parallel()
	o := newOwned(t)
	app := o.s.Created.Apps["web"].ID
	link := expect.Must(o.open("/apps/"+app).Page.One("link", "See the consent page"))(t).Attr("href")
	see := func(want string) person.Visit {
		t.Helper()
		at := o.open(link)
		if at.Status != http.StatusOK || !strings.HasPrefix(at.Page.URL.String(), o.s.Stack.AppURLs[0]) || !strings.Contains(at.Page.Text(), want) {
			t.Fatalf("%d at %s, without %q: %s", at.Status, at.Page.URL, want, at.Page.Text())
		}
		return at
	}
	at := see("Not verified by Vitae")
	for _, label := range []string{"Profile", "Share my photo", "Include private contact details"} {
		if !at.Page.Has("checkbox", label) {
			t.Errorf("the page has no checkbox %q", label)
		}
	}
	for _, name := range []string{"Allow", "Cancel"} {
		b := expect.Must(at.Page.One("button", name))(t)
		if _, err := at.Page.FormOf(b); err == nil || !b.Disabled() {
			t.Errorf("%s can be pressed", name)
		}
	}
	o.s.Exits(t, 0, "account", "verify", o.account)
	at = see("Verified by Vitae")

	stranger := enter(t, scene.New(t), "layla")
	stranger.press(stranger.open("/").Page, "Create account", fill{text: map[string]string{"Name": "Stranger"}})
	if at := stranger.open("/apps/" + app + "/consent"); at.Status != http.StatusNotFound {
		t.Errorf("a stranger sees the consent page: %d at %s", at.Status, at.Page.URL)
	}
	changed := strings.Replace(at.Page.URL.String(), "/oauth/preview/", "/oauth/preview/A", 1)
	if at := expect.Must(stranger.Open(t.Context(), changed))(t); at.Status != http.StatusNotFound {
		t.Errorf("a modified URL: %d", at.Status)
	}
}
