package pages_test

import (
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
)

func TestPagesAreWellFormed(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ar"} {
		v := pagestest.Visit(t)
		v.Lang = lang
		check := func(path string, status int) {
			t.Helper()
			a := v.Get(path) // Get checks that the page is well-formed
			if a.StatusCode != status || pagestest.Attribute(a.Root.FirstChild.NextSibling, "lang") != lang {
				t.Errorf("%s %s: status %d, lang %q", lang, path, a.StatusCode, pagestest.Attribute(a.Root.FirstChild.NextSibling, "lang"))
			}
			if got := a.Header.Get("Content-Language"); got != lang {
				t.Errorf("%s %s: Content-Language %q", lang, path, got)
			}
			if strings.Contains(a.Text(), "{") {
				t.Errorf("%s %s: a placeholder was not replaced: %s", lang, path, a.Text())
			}
		}
		check("/", 200)
		check("/sign-in", 200)
		check("/sign-in?return=%2Foauth%2Fauthorize%3F"+strings.ReplaceAll(pagestest.ConsentQuery, "&", "%26"), 200)
		check("/nowhere", 404)
		check("/p/layla", 200)
		check("/p/layla/cv", 200)
		v.SignIn()
		check("/", 200)
		check(pagestest.ConsentPath, 200)
		check("/connections", 200)
		check("/connections/con_1/disconnect", 200)
	}
}

func TestNavigationMarksTheCurrentPage(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for path, want := range map[string]string{
		"/account": "Account", "/connections": "Apps", "/connections/con_1/reads": "Apps", "/applications": "Applications", "/cvs": "CVs", "/profile": "CVs", "/cvs/import": "CVs", "/documents": "CVs", "/": "",
	} {
		marked := ""
		for n := range v.Get(path).Root.Descendants() {
			if pagestest.Attribute(n, "aria-current") == "page" {
				marked += pagestest.TextOf(n)
			}
		}
		if marked != want {
			t.Errorf("%s: the marked link is %q, want %q", path, marked, want)
		}
	}
}
