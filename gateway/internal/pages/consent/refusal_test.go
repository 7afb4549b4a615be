package consent_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
)

func TestRefusalNamesCause(t *testing.T) {
	t.Parallel()
	with := func(client, redirect string) string {
		return "/oauth/authorize?" + url.Values{"client_id": {client}, "redirect_uri": {redirect}}.Encode()
	}
	unknown := errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "x")
	for name, c := range map[string]struct {
		path   string
		refuse error
		want   []string
		absent string
	}{
		"unknown client": {
			with("svc_ci_<b>ü", pagestest.RedirectURI), unknown,
			[]string{"No app has this client ID.", "client_id", "svc_ci_<b>%C3%BC", "/docs/errors/OAUTH_INVALID_CLIENT"}, "redirect_uri",
		},
		"another redirect URI": {
			with("svc_ci_1", "https://evil.example/<script>call me\u202e"), nil,
			[]string{"one of the app’s redirect URIs", "redirect_uri", "https://evil.example/<script>call%20me%E2%80%AE", "/docs/errors/OAUTH_INVALID_REQUEST"}, "client_id",
		},
		"a long redirect URI": {with("svc_ci_1", "https://evil.example/"+strings.Repeat("a", 1000)), nil, []string{strings.Repeat("a", 200) + "aaaa"}, strings.Repeat("a", 300)},
		"no redirect URI":     {"/oauth/authorize?client_id=svc_ci_1", errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "x").WithField("redirect_uri"), []string{"redirect_uri", "missing or invalid"}, "evil"},
		"no client":           {"/oauth/authorize?redirect_uri=https%3A%2F%2Fevil.example", errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "x").WithField("client_id"), []string{"client_id", "missing or invalid"}, "evil"},
		"doubled":             {with("svc_ci_1", pagestest.RedirectURI) + "&redirect_uri=https%3A%2F%2Fevil.example", nil, []string{"repeated", "redirect_uri"}, "evil"},
		"malformed query":     {pagestest.ConsentPath + "&%zz=1", nil, []string{"unreadable"}, "client_id"},
	} {
		v := pagestest.Visit(t)
		v.Backend.Refuse = c.refuse
		a := v.Get(c.path)
		if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" {
			t.Errorf("%s: status %d, redirect to %q", name, a.StatusCode, a.Header.Get("Location"))
		}
		section := ""
		for n := range a.Root.Descendants() {
			if pagestest.Attribute(n, "class") == "cause" {
				section = pagestest.TextOf(n)
				for link := range n.Descendants() {
					section += " " + pagestest.Attribute(link, "href")
				}
			}
		}
		for _, want := range c.want {
			if !strings.Contains(section, want) {
				t.Errorf("%s: %q is missing: %s", name, want, section)
			}
		}
		if strings.Contains(section, c.absent) {
			t.Errorf("%s: unexpected %q: %s", name, c.absent, section)
		}
		if strings.Contains(a.Text(), "You decide what each app sees") {
			t.Errorf("%s: the text for developers repeats the footer", name)
		}
		for n := range a.Root.Descendants() {
			if strings.Contains(pagestest.Attribute(n, "href"), "evil") {
				t.Errorf("%s: unexpected link to %s", name, pagestest.Attribute(n, "href"))
			}
		}
	}
}
