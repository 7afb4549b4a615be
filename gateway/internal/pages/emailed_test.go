package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestTheSentPageNamesTheAddress(t *testing.T) {
	t.Parallel()
	back := "/oauth/authorize?" + consentQuery
	for lang, link := range map[string]string{"en": "Correct the address", "ar": "تصحيح العنوان"} {
		v := visit(t, "https://app.vitae.example")
		v.lang = lang
		for _, path := range []string{"/sign-up", "/reset"} {
			form := url.Values{"return": {back}, "name": {"Noor"}, "email": {"nor@exmaple.com"}, "password": {goodPassword}}
			v.filled(path, form)
			sent := v.get(path + "/sent")
			wellFormed(t, sent)
			if !strings.Contains(sent.text(), "nor@exmaple.com") {
				t.Errorf("%s: %s does not name the address: %s", lang, path, sent.text())
			}
			again := v.get(sent.link(link))
			if got := attribute(again.byID("email"), "value"); got != "nor@exmaple.com" || strings.Contains(again.body, goodPassword) {
				t.Errorf("%s: %s is shown again with %q", lang, path, got)
			}
			if !strings.Contains(again.body, url.QueryEscape("state")) || attribute(again.field("return"), "value") != back {
				t.Errorf("%s: %s has lost the way back: %s", lang, path, attribute(again.field("return"), "value"))
			}
			if plain := v.get(path); attribute(plain.byID("email"), "value") != "" {
				t.Errorf("%s: %s names somebody unasked", lang, path)
			}
		}
		v.signIn()
		v.post("/sign-out", url.Values{})
		if text := v.get("/sign-up/sent").text(); strings.Contains(text, "nor@exmaple.com") {
			t.Errorf("%s: the address stays after a sign-in: %s", lang, text)
		}
	}
}

func TestASignUpLinkIsSentAgainWithoutThePassword(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	if strings.Contains(v.get("/sign-up/sent").text(), "Send it again") {
		t.Error("a browser that has not asked for a link can have it sent again")
	}
	v.filled("/sign-up", url.Values{"name": {"Noor"}, "email": {"nor@exmaple.com"}, "password": {goodPassword}})
	again := func() response {
		return v.send(http.MethodPost, "/sign-up", url.Values{"csrf": {v.get("/sign-up/sent").token()}, "again": {"1"}})
	}
	if got := again(); got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/sign-up/sent" {
		t.Errorf("%d, to %q", got.StatusCode, got.Header.Get("Location"))
	}
	if last := v.backend.wanted[len(v.backend.wanted)-1]; last.GetPending() != "pending" || last.GetEmail() != "nor@exmaple.com" || last.GetPassword() != "" {
		t.Errorf("asked for %v", last)
	}
}

// field is the input of a name.
func (a response) field(name string) *html.Node {
	for n := range a.root.Descendants() {
		if n.Data == "input" && attribute(n, "name") == name && attribute(n.Parent, "action") != "/language" {
			return n
		}
	}
	return &html.Node{}
}

func TestADeadLinkLeadsToANewOne(t *testing.T) {
	t.Parallel()
	for path, form := range map[string]string{"/sign-up/confirm": "/sign-up", "/reset/choose": "/reset"} {
		v := visit(t, "https://app.vitae.example")
		dead := v.get(path + "?token=other")
		if wellFormed(t, dead); dead.StatusCode != http.StatusGone || dead.link("Ask for a new link") != form {
			t.Errorf("%s: %d, to %q", path, dead.StatusCode, dead.link("Ask for a new link"))
		}
	}
}
