package pages

import (
	"net/http"
	"strings"
	"testing"
)

const consentQuery = "response_type=code&client_id=svc_ci_1&redirect_uri=https%3A%2F%2Fjobs.example%2Fcallback%3Flang%3Den" +
	"&scope=profile+email+cv%3Aread+cv%3Acontact&code_challenge=x&code_challenge_method=S256&state=a%26b%3D%2B%20%22%E2%9C%93%0D%0A"

func TestEveryPageIsWellFormedInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ar"} {
		v := visit(t, "https://app.vitae.example")
		v.lang = lang
		check := func(path string, status int) {
			t.Helper()
			a := v.get(path) // checks that the page is well-formed
			if a.StatusCode != status || attribute(a.root.FirstChild.NextSibling, "lang") != lang {
				t.Errorf("%s %s: status %d, lang %q", lang, path, a.StatusCode, attribute(a.root.FirstChild.NextSibling, "lang"))
			}
			if got := a.Header.Get("Content-Language"); got != lang {
				t.Errorf("%s %s: Content-Language %q", lang, path, got)
			}
			if strings.Contains(a.text(), "{") {
				t.Errorf("%s %s: a placeholder is left: %s", lang, path, a.text())
			}
		}
		check("/", 200)
		check("/sign-in", 200)
		check("/sign-in?return=%2Foauth%2Fauthorize%3F"+strings.ReplaceAll(consentQuery, "&", "%26"), 200)
		check("/nowhere", 404)
		check("/p/layla", 200)
		check("/p/layla/cv", 200)
		v.signIn()
		check("/", 200)
		check("/oauth/authorize?"+consentQuery, 200)
		check("/connections", 200)
		check("/connections/con_1/disconnect", 200)
	}
}

func TestStyleAndIconAreCachedForEverUnderTheirHash(t *testing.T) {
	t.Parallel()
	v := visit(t, "http://127.0.0.1:8081")
	a := v.get("/")
	seen := 0
	for n := range a.root.Descendants() {
		href := attribute(n, "href")
		if n.Data != "link" {
			continue
		}
		seen++
		got := v.get(href)
		if got.StatusCode != http.StatusOK || got.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || got.Header.Get("Vary") != "" {
			t.Errorf("%s: %d %v", href, got.StatusCode, got.Header)
		}
	}
	if seen != 2 {
		t.Errorf("%d files linked", seen)
	}
	if got := v.get("/static/app.000000000000.css").StatusCode; got != http.StatusNotFound {
		t.Errorf("an unknown hash answers %d", got)
	}
	if got := v.get("/favicon.ico"); got.Header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("favicon: %v", got.Header)
	}
}

func TestTheListOfPagesMarksTheOneThatIsShown(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	for path, want := range map[string]string{
		"/account": "Account", "/connections": "Apps", "/connections/con_1/reads": "Apps", "/applications": "Applications", "/cvs": "CVs", "/profile": "CVs", "/cvs/import": "CVs", "/documents": "CVs", "/": "",
	} {
		marked := ""
		for n := range v.get(path).root.Descendants() {
			if attribute(n, "aria-current") == "page" {
				marked += textOf(n)
			}
		}
		if marked != want {
			t.Errorf("%s: marked is %q", path, marked)
		}
	}
}
