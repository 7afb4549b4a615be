package pages_test

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
)

// switchTo submits a page's language switch.
func switchTo(t *testing.T, v *pagestest.Visitor, a pagestest.Response, language string) pagestest.Response {
	t.Helper()
	back := ""
	for _, n := range a.Elements("input") {
		if pagestest.Attribute(n, "name") == "return" && pagestest.Attribute(n.Parent, "action") == "/language" {
			back = pagestest.Attribute(n, "value")
		}
	}
	if back == "" {
		t.Fatalf("the page has no language switch: %s", a.Text())
	}
	return v.Send(http.MethodPost, "/language", url.Values{"return": {back}, "language": {language}})
}

func TestLanguageIsChosenByPrecedence(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	want := func(path, language, why string) {
		t.Helper()
		if got := v.Get(path).Language(); got != language {
			t.Errorf("%s: %s is in %s", why, path, got)
		}
	}
	want("/sign-in", "en", "the browser asks for English")
	v.Backend.Language = "ar-AE"
	v.SignIn()
	for _, path := range []string{"/", "/connections", "/account", pagestest.ConsentPath} {
		want(path, "ar", "the account's language is Arabic")
	}
	switchTo(t, v, v.Get("/account"), "en")
	for _, path := range []string{"/", "/account", "/sign-in", "/p/layla", "/nowhere"} {
		if a := v.Get(path); a.StatusCode != http.StatusSeeOther {
			want(path, "en", "English was chosen here")
		}
	}
	v.Lang = "ar"
	v.Post("/sign-out", url.Values{})
	want("/sign-in", "en", "the choice outlives the session")
}

func TestAccountStoresItsLanguage(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	switchTo(t, v, v.Get("/account"), "en")
	if a := v.Post("/account/language", url.Values{"language": {"ar"}}); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/account" {
		t.Fatalf("status %d: %s", a.StatusCode, a.Text())
	}
	if v.Backend.Language != "ar" {
		t.Errorf("the account's language is %q, want ar", v.Backend.Language)
	}
	a := v.Get("/account")
	if a.Language() != "ar" || !strings.Contains(a.Text(), "تم حفظ لغتك") {
		t.Errorf("the page is not in the new language: %s", a.Text())
	}
	for _, bad := range []string{"", "fr", "x\x00", strings.Repeat("a", 1000)} {
		if a := v.Post("/account/language", url.Values{"language": {bad}}); a.StatusCode != http.StatusBadRequest || v.Backend.Language != "ar" {
			t.Errorf("language %q: status %d, stored %q", bad, a.StatusCode, v.Backend.Language)
		}
	}
}

func TestLanguageSwitchReturnsToPage(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for _, path := range []string{"/", "/account", "/connections/con_1/reads", "/p/layla/cv", pagestest.ConsentPath} {
		if got := switchTo(t, v, v.Get(path), "ar").Header.Get("Location"); got != path {
			t.Errorf("the switch on %s leads to %s", path, got)
		}
	}
	// After a rejected sign-in, the switch leads to the sign-in page, with the form's return path.
	v.Cookies = map[string]*http.Cookie{}
	refused := v.Send(http.MethodPost, "/sign-in", url.Values{"csrf": {v.Get("/sign-in").Token()}, "email": {"x"}, "return": {"/account"}})
	if got := switchTo(t, v, refused, "en").Header.Get("Location"); got != "/sign-in?return=%2Faccount" {
		t.Errorf("the switch on a rejected form leads to %s", got)
	}
	for _, elsewhere := range []string{
		"", "https://evil.example/", "//evil.example/", `/\evil.example/`, `/p/\..\..\evil`, "/nowhere", "javascript:alert(1)", "/account#x", "/p/%2e%2e",
	} {
		a := v.Send(http.MethodPost, "/language", url.Values{"return": {elsewhere}, "language": {"ar"}})
		if got := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || got != "/" {
			t.Errorf("the return path %q leads to %q", elsewhere, got)
		}
	}
	if got := v.Send(http.MethodPost, "/language", url.Values{"return": {"/p/layla?x=\r\nSet-Cookie: y"}, "language": {"ar"}}).Header.Get("Location"); strings.ContainsAny(got, "\r\n ") {
		t.Errorf("the Location header is %q", got)
	}
}

func TestLanguageSwitchRejectsOtherSites(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	a := v.Send(http.MethodPost, "/language", url.Values{"return": {"/"}, "language": {"ar"}}, func(r *http.Request) {
		r.Header.Set("Origin", "https://evil.example")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	})
	if a.StatusCode != http.StatusForbidden || len(v.Cookies) != 0 {
		t.Errorf("status %d, cookies %v", a.StatusCode, v.Cookies)
	}
	for _, bad := range []string{"", "fr", "en;x"} {
		if a := v.Send(http.MethodPost, "/language", url.Values{"return": {"/"}, "language": {bad}}); a.StatusCode != http.StatusBadRequest {
			t.Errorf("language %q: status %d", bad, a.StatusCode)
		}
	}
}

func TestOnlyPagesForPeopleHaveLanguageSwitch(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	switched := func(path string) bool { return strings.Contains(v.Get(path).Body, `action="/language"`) }
	check := func(want bool, paths ...string) {
		t.Helper()
		for _, path := range paths {
			if switched(path) != want {
				t.Errorf("%s has a language switch: %t", path, !want)
			}
		}
	}
	check(true, "/", "/sign-in", "/sign-up", "/reset", "/p/layla", "/p/layla/cv", "/nowhere")
	check(false, "/docs", "/docs/reference")
	v.SignIn()
	check(true, "/account", "/connections", pagestest.ConsentPath, "/connections/con_1/disconnect", "/connections/con_1/receives", "/connections/con_1/reads")
}

func TestMainCVTitleIsTranslated(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Lang = "ar"
	v.SignIn()
	v.Backend.Applied = pagestest.ApplicationsOfLayla()
	for _, path := range []string{pagestest.ConsentPath, "/connections", "/applications"} {
		if text := v.Get(path).Text(); !strings.Contains(text, "السيرة الذاتية الرئيسية") || strings.Contains(text, "Main CV") {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// Every lookup of an error message determines the language of the page. The test is not parallel,
// because the runtime counts allocations for the whole process.
func TestLongAcceptLanguageIsCheap(t *testing.T) {
	v := pagestest.Editing(t)
	form := url.Values{"csrf": {v.FormToken()}, "title": {"x"}}
	for i := range 200 {
		form.Add("experiences", strconv.Itoa(i))
		form.Set(fmt.Sprintf("experiences.%d.title", i), "x")
	}
	work := func(accept string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := v.Send(http.MethodPost, "/cvs/new", form, func(r *http.Request) { r.Header.Set("Accept-Language", accept) })
		runtime.ReadMemStats(&after)
		if got.Root == nil || !strings.Contains(got.Body, `lang="ar"`) {
			t.Errorf("status %d, or the page is not in Arabic", got.StatusCode)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if short, long := work("ar,en;q=0.5"), work("ar,"+strings.Repeat("aa,", 20_000)); long > 2*short {
		t.Errorf("%d bytes are allocated, and %d with a 60 KB list of languages", short, long)
	}
}

func TestUnsavedLanguageIsNotShownAsSaved(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	const unsaved = "No language is saved yet"
	if text := v.Get("/account").Text(); !strings.Contains(text, unsaved) {
		t.Errorf("before a language is saved: %s", text)
	}
	v.Post("/account/language", url.Values{"language": {"en"}})
	if text := v.Get("/account").Text(); strings.Contains(text, unsaved) {
		t.Errorf("after a language is saved: %s", text)
	}
}
