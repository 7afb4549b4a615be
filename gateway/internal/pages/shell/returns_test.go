package shell

import (
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/web"
)

func FuzzReturnPath(f *testing.F) {
	for _, seed := range []string{
		"/oauth/authorize?state=a%26b%3D%2B%20%22%E2%9C%93%0D%0A&scope=profile+email", "/oauth/legacy/authorize?scope=cv%3Aread", "/oauth/legacy/../authorize", "/connections", "//evil.example", `/\evil.example`, "/connections?x=//evil#y",
		"https://evil.example/connections", "/oauth/authorize?\xff\u2028 ", "/./connections", "/connections;evil", "/CONNECTIONS", "/connections?a\r\nSet-Cookie: x",
	} {
		f.Add(seed)
	}
	app, err := url.Parse("https://app.vitae.example/sign-in")
	if err != nil {
		f.Fatal(err)
	}
	pages := &Shell{}
	pages.recordReturns([]Route{
		{Route: web.Route{Path: ConnectionsPath}, Return: Itself}, {Route: web.Route{Path: ConsentPath}, Return: Itself}, {Route: web.Route{Path: LegacyConsentPath}, Return: Itself},
		{Route: web.Route{Path: SignInPath}}, {Route: web.Route{Path: "/{$}"}},
	})
	f.Fuzz(func(t *testing.T, s string) {
		path, ok := pages.LocalPath(s)
		if !ok {
			return
		}
		if strings.ContainsFunc(path, func(r rune) bool { return r <= 0x20 || r >= 0x7f }) {
			t.Fatalf("%q becomes %q, which is not a valid header value", s, path)
		}
		to, err := app.Parse(path)
		if err != nil || to.Scheme != app.Scheme || to.Host != app.Host || (!IsConsent(to.Path) && to.Path != ConnectionsPath) {
			t.Fatalf("%q leads to %v, %v", s, to, err)
		}
		from, err := url.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := to.Query().Encode(), from.Query().Encode(); got != want {
			t.Fatalf("%q: the query becomes %q, was %q", s, got, want)
		}
		if again, ok := pages.LocalPath(path); !ok || again != path {
			t.Fatalf("%q changes when it is validated again: %q, %t", path, again, ok)
		}
	})
}
