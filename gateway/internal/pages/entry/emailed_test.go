package entry_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vitae.internal/gateway/internal/pages/pagestest"
)

func TestSentPageNamesTheAddress(t *testing.T) {
	t.Parallel()
	back := pagestest.ConsentPath
	for lang, link := range map[string]string{"en": "Correct the address", "ar": "تصحيح العنوان"} {
		v := pagestest.Visit(t)
		v.Lang = lang
		for _, path := range []string{"/sign-up", "/reset"} {
			form := url.Values{"return": {back}, "name": {"Noor"}, "email": {"nor@exmaple.com"}, "password": {pagestest.GoodPassword}}
			v.Filled(path, form)
			sent := v.Get(path + "/sent")
			if !strings.Contains(sent.Text(), "nor@exmaple.com") {
				t.Errorf("%s: %s does not name the address: %s", lang, path, sent.Text())
			}
			again := v.Get(sent.Link(link))
			if got := pagestest.Attribute(again.ByID("email"), "value"); got != "nor@exmaple.com" || strings.Contains(again.Body, pagestest.GoodPassword) {
				t.Errorf("%s: %s is shown again with %q", lang, path, got)
			}
			if !strings.Contains(again.Body, url.QueryEscape("state")) || pagestest.Attribute(field(again, "return"), "value") != back {
				t.Errorf("%s: %s has lost the way back: %s", lang, path, pagestest.Attribute(field(again, "return"), "value"))
			}
			if plain := v.Get(path); pagestest.Attribute(plain.ByID("email"), "value") != "" {
				t.Errorf("%s: %s names somebody unasked", lang, path)
			}
		}
		v.SignIn()
		v.Post("/sign-out", url.Values{})
		if text := v.Get("/sign-up/sent").Text(); strings.Contains(text, "nor@exmaple.com") {
			t.Errorf("%s: the address stays after a sign-in: %s", lang, text)
		}
	}
}

func TestSignUpLinkIsSentAgain(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	if strings.Contains(v.Get("/sign-up/sent").Text(), "Send it again") {
		t.Error("a browser that has not asked for a link can have it sent again")
	}
	v.Filled("/sign-up", url.Values{"name": {"Noor"}, "email": {"nor@exmaple.com"}, "password": {pagestest.GoodPassword}})
	again := func() pagestest.Response {
		return v.Send(http.MethodPost, "/sign-up", url.Values{"csrf": {v.Get("/sign-up/sent").Token()}, "again": {"1"}})
	}
	if got := again(); got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/sign-up/sent" {
		t.Errorf("%d, to %q", got.StatusCode, got.Header.Get("Location"))
	}
	if last := v.Backend.Wanted[len(v.Backend.Wanted)-1]; last.GetPending() != "pending" || last.GetEmail() != "nor@exmaple.com" || last.GetPassword() != "" {
		t.Errorf("asked for %v", last)
	}
}

// field is the input of a name.
func field(a pagestest.Response, name string) *html.Node {
	for n := range a.Root.Descendants() {
		if n.Data == "input" && pagestest.Attribute(n, "name") == name && pagestest.Attribute(n.Parent, "action") != "/language" {
			return n
		}
	}
	return &html.Node{}
}

func TestDeadLinkLeadsToANewOne(t *testing.T) {
	t.Parallel()
	for path, form := range map[string]string{"/sign-up/confirm": "/sign-up", "/reset/choose": "/reset"} {
		v := pagestest.Visit(t)
		dead := v.Get(path + "?token=other")
		if dead.StatusCode != http.StatusGone || dead.Link("Ask for a new link") != form {
			t.Errorf("%s: %d, to %q", path, dead.StatusCode, dead.Link("Ask for a new link"))
		}
	}
}
