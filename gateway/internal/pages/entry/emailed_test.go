package entry_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vitae.internal/gateway/internal/pages/pagestest"
)

func TestSentPageNamesEmailAddress(t *testing.T) {
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
				t.Errorf("%s: %s does not name the email address: %s", lang, path, sent.Text())
			}
			again := v.Get(sent.Link(link))
			if got := pagestest.Attribute(again.ByID("email"), "value"); got != "nor@exmaple.com" || strings.Contains(again.Body, pagestest.GoodPassword) {
				t.Errorf("%s: %s is prefilled with %q", lang, path, got)
			}
			if !strings.Contains(again.Body, url.QueryEscape("state")) || pagestest.Attribute(field(again, "return"), "value") != back {
				t.Errorf("%s: %s has lost the return path: %s", lang, path, pagestest.Attribute(field(again, "return"), "value"))
			}
			if plain := v.Get(path); pagestest.Attribute(plain.ByID("email"), "value") != "" {
				t.Errorf("%s: %s names a person without being asked to", lang, path)
			}
		}
		v.SignIn()
		v.Post("/sign-out", url.Values{})
		if text := v.Get("/sign-up/sent").Text(); strings.Contains(text, "nor@exmaple.com") {
			t.Errorf("%s: the email address remains after a sign-in: %s", lang, text)
		}
	}
}

func TestSignUpLinkCanBeResent(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	if strings.Contains(v.Get("/sign-up/sent").Text(), "Send it again") {
		t.Error("a browser that has not requested a link can resend it")
	}
	v.Filled("/sign-up", url.Values{"name": {"Noor"}, "email": {"nor@exmaple.com"}, "password": {pagestest.GoodPassword}})
	again := func() pagestest.Response {
		return v.Send(http.MethodPost, "/sign-up", url.Values{"csrf": {v.Get("/sign-up/sent").Token()}, "again": {"1"}})
	}
	if got := again(); got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/sign-up/sent" {
		t.Errorf("status %d, redirect to %q", got.StatusCode, got.Header.Get("Location"))
	}
	if last := v.Backend.Wanted[len(v.Backend.Wanted)-1]; last.GetPending() != "pending" || last.GetEmail() != "nor@exmaple.com" || last.GetPassword() != "" {
		t.Errorf("requested %v", last)
	}
}

// field returns the input element with the given name.
func field(a pagestest.Response, name string) *html.Node {
	for n := range a.Root.Descendants() {
		if n.Data == "input" && pagestest.Attribute(n, "name") == name && pagestest.Attribute(n.Parent, "action") != "/language" {
			return n
		}
	}
	return &html.Node{}
}

func TestDeadLinkPageOffersNewLink(t *testing.T) {
	t.Parallel()
	for path, form := range map[string]string{"/sign-up/confirm": "/sign-up", "/reset/choose": "/reset"} {
		v := pagestest.Visit(t)
		dead := v.Get(path + "?token=other")
		if dead.StatusCode != http.StatusGone || dead.Link("Ask for a new link") != form {
			t.Errorf("%s: %d, to %q", path, dead.StatusCode, dead.Link("Ask for a new link"))
		}
	}
}
