package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// shownIn gives the language of a page.
func shownIn(a response) string { return attribute(a.root.FirstChild.NextSibling, "lang") }

// switchTo presses the button of the other language on a page.
func (v *visitor) switchTo(a response, language string) response {
	v.t.Helper()
	back := ""
	for n := range a.root.Descendants() {
		if n.Data == "input" && attribute(n, "name") == "return" && attribute(n.Parent, "action") == "/language" {
			back = attribute(n, "value")
		}
	}
	if back == "" {
		v.t.Fatalf("the page has no switch: %s", a.text())
	}
	return v.send(http.MethodPost, "/language", url.Values{"return": {back}, "language": {language}})
}

func TestAChoiceCountsBeforeTheAccountAndTheAccountBeforeTheBrowser(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	want := func(path, language, why string) {
		t.Helper()
		if got := shownIn(v.get(path)); got != language {
			t.Errorf("%s: %s is in %s", why, path, got)
		}
	}
	want("/sign-in", "en", "the browser asks for English")
	v.backend.language = "ar-AE"
	v.signIn()
	for _, path := range []string{"/", "/connections", "/account", consentPath} {
		want(path, "ar", "the account's language is Arabic")
	}
	v.switchTo(v.get("/account"), "en")
	for _, path := range []string{"/", "/account", "/sign-in", "/p/layla", "/nowhere"} {
		if a := v.get(path); a.StatusCode != http.StatusSeeOther {
			want(path, "en", "English was chosen here")
		}
	}
	v.lang = "ar"
	v.post("/sign-out", url.Values{})
	want("/sign-in", "en", "the choice outlives the session")
}

func TestTheLanguageOfTheAccountIsKeptInTheAccount(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.switchTo(v.get("/account"), "en")
	if a := v.post("/account/language", url.Values{"language": {"ar"}}); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/account" {
		t.Fatalf("%d %s", a.StatusCode, a.text())
	}
	if v.backend.language != "ar" {
		t.Errorf("the account has %q", v.backend.language)
	}
	a := v.get("/account")
	if shownIn(a) != "ar" || !strings.Contains(a.text(), "تم حفظ لغتك") {
		t.Errorf("the page does not follow: %s", a.text())
	}
	for _, bad := range []string{"", "fr", "x\x00", strings.Repeat("a", 1000)} {
		if a := v.post("/account/language", url.Values{"language": {bad}}); a.StatusCode != http.StatusBadRequest || v.backend.language != "ar" {
			t.Errorf("%q: %d, kept %q", bad, a.StatusCode, v.backend.language)
		}
	}
}

func TestTheSwitchLeadsBackToThePageAndNowhereElse(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	for _, path := range []string{"/", "/account", "/connections/con_1/reads", "/p/layla/cv", "/oauth/authorize?" + consentQuery} {
		if got := v.switchTo(v.get(path), "ar").Header.Get("Location"); got != path {
			t.Errorf("%s leads to %s", path, got)
		}
	}
	// The page that a refused form shows is behind its address.
	v.cookies = map[string]*http.Cookie{}
	refused := v.send(http.MethodPost, "/sign-in", url.Values{"csrf": {v.get("/sign-in").token()}, "email": {"x"}, "return": {"/account"}})
	if got := v.switchTo(refused, "en").Header.Get("Location"); got != "/sign-in?return=%2Faccount" {
		t.Errorf("a refused form leads to %s", got)
	}
	for _, elsewhere := range []string{
		"", "https://evil.example/", "//evil.example/", `/\evil.example/`, `/p/\..\..\evil`, "/nowhere", "javascript:alert(1)", "/account#x", "/p/%2e%2e",
	} {
		a := v.send(http.MethodPost, "/language", url.Values{"return": {elsewhere}, "language": {"ar"}})
		if got := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || got != "/" {
			t.Errorf("%q leads to %q", elsewhere, got)
		}
	}
	if got := v.send(http.MethodPost, "/language", url.Values{"return": {"/p/layla?x=\r\nSet-Cookie: y"}, "language": {"ar"}}).Header.Get("Location"); strings.ContainsAny(got, "\r\n ") {
		t.Errorf("the header holds %q", got)
	}
}

func TestAnotherSiteDoesNotSwitchTheLanguage(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	a := v.send(http.MethodPost, "/language", url.Values{"return": {"/"}, "language": {"ar"}}, func(r *http.Request) {
		r.Header.Set("Origin", "https://evil.example")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	})
	if a.StatusCode != http.StatusForbidden || len(v.cookies) != 0 {
		t.Errorf("%d %v", a.StatusCode, v.cookies)
	}
	for _, bad := range []string{"", "fr", "en;x"} {
		if a := v.send(http.MethodPost, "/language", url.Values{"return": {"/"}, "language": {bad}}); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: %d", bad, a.StatusCode)
		}
	}
}

func TestEveryPageForPeopleHasTheSwitchAndThoseForPartnersHaveNone(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	has := func(path string) bool { return strings.Contains(v.get(path).body, `action="/language"`) }
	check := func(want bool, paths ...string) {
		t.Helper()
		for _, path := range paths {
			if has(path) != want {
				t.Errorf("%s has a switch: %t", path, !want)
			}
		}
	}
	check(true, "/", "/sign-in", "/sign-up", "/reset", "/p/layla", "/p/layla/cv", "/nowhere")
	check(false, "/docs", "/docs/reference")
	v.signIn()
	check(true, "/account", "/connections", consentPath, "/connections/con_1/disconnect", "/connections/con_1/receives", "/connections/con_1/reads")
}

func TestTheMainCVIsCalledInTheLanguageOfThePage(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.lang = "ar"
	v.signIn()
	v.backend.applied = applicationsOfLayla()
	for _, path := range []string{consentPath, "/connections", "/applications"} {
		if text := v.get(path).text(); !strings.Contains(text, "السيرة الذاتية الرئيسية") || strings.Contains(text, "Main CV") {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// The page asks for its language for every text of a fault. Not parallel: what is allocated is
// counted for the process.
func TestALongListOfLanguagesIsReadOnceAndInPart(t *testing.T) {
	v := editing(t)
	form := url.Values{"csrf": {formToken(sessionForms, v.session())}, "title": {"x"}}
	for i := range 200 {
		form.Add("experiences", strconv.Itoa(i))
		form.Set(fmt.Sprintf("experiences.%d.title", i), "x")
	}
	work := func(accept string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := v.send(http.MethodPost, "/cvs/new", form, func(r *http.Request) { r.Header.Set("Accept-Language", accept) })
		runtime.ReadMemStats(&after)
		if got.root == nil || !strings.Contains(got.body, `lang="ar"`) {
			t.Errorf("%d, not in Arabic", got.StatusCode)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if short, long := work("ar,en;q=0.5"), work("ar,"+strings.Repeat("aa,", 20_000)); long > 2*short {
		t.Errorf("%d bytes, and %d with a list of 60 KB", short, long)
	}
}

func TestAnUnsavedLanguageIsNotShownAsSaved(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	const unsaved = "No language is saved yet"
	if text := v.get("/account").text(); !strings.Contains(text, unsaved) {
		t.Errorf("before: %s", text)
	}
	v.post("/account/language", url.Values{"language": {"en"}})
	if text := v.get("/account").text(); strings.Contains(text, unsaved) {
		t.Errorf("after: %s", text)
	}
}
