package pages

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/pages/guides"
	"vitae.internal/gateway/internal/pages/search"
)

// specification is the OpenAPI document of this version.
func specification(t *testing.T, appURL string) []byte {
	t.Helper()
	raw, err := openapi.For(baseURL, appURL)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// everyDocsPath are all pages for partners.
func everyDocsPath(t *testing.T) []string {
	t.Helper()
	d := newDocs(t)
	return append(slices.Sorted(maps.Keys(d.pages)), searchPath+"?q=job")
}

// newDocs are the pages for partners of one deployment.
func newDocs(t *testing.T) documentation {
	t.Helper()
	const appURL = "https://app.vitae.example"
	d, err := newDocumentation(nil, Config{
		BaseURL: baseURL, AppURL: appURL, LegacyURL: "https://old.vitae.example", ConsoleURL: "https://console.vitae.example",
		Specification: specification(t, appURL),
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPagesForPartnersAreTheSameForEverybodyAndLinkEachOther(t *testing.T) {
	t.Parallel()
	paths, sections := everyDocsPath(t), newDocs(t).sections
	for _, lang := range []string{"en", "ar"} {
		v := visit(t, "https://app.vitae.example")
		v.lang = lang
		v.signIn()
		for _, path := range paths {
			a := v.get(path)
			h := a.Header
			found := strings.HasPrefix(path, searchPath)
			if a.StatusCode != http.StatusOK || h.Get("Content-Language") != "en" || h.Get("Vary") != "" || h.Get("Cache-Control") != "no-cache" || (h.Get("X-Robots-Tag") != "") != found {
				t.Errorf("%s: %d %v", path, a.StatusCode, h)
			}
			var links []string
			titles := 0
			for n := range a.root.Descendants() {
				switch {
				case n.Type != html.ElementNode:
				case n.Data == "a":
					links = append(links, attribute(n, "href"))
				case n.Data == "title":
					titles++
				}
			}
			if title, text := strings.Index(a.body, "<h1"), strings.Index(a.body, `class="card"`); titles != 1 || text >= 0 && text < title {
				t.Errorf("%s: %d titles, the text begins at %d, the title at %d", path, titles, text, title)
			}
			for _, section := range sections {
				for _, other := range section.Links {
					if !slices.Contains(links, other.Path) {
						t.Errorf("%s has no link to %s", path, other.Path)
					}
				}
			}
		}
	}
}

func TestTheSearchFindsWhatDevelopersType(t *testing.T) {
	t.Parallel()
	d := newDocs(t)
	for query, want := range map[string]string{
		"pagination":              "/docs/reference#pagination",
		"redirect uri mismatch":   "/docs/errors/OAUTH_INVALID_REQUEST",
		"update company":          "/docs/reference/updateCompany",
		"edit a job":              "/docs/reference/updateJob",
		"introspect":              "/docs/reference/introspectToken",
		"introspection":           "/docs/reference/introspectToken",
		"how to revoke a token":   "/docs/reference/revokeToken",
		"list companies":          "/docs/reference/listCompanies",
		"limits":                  "/docs/limits",
		"list applicants":         "/docs/reference/listJobApplications",
		"refresh token":           "/docs/reference/issueToken",
		"python":                  "/docs/sign-in",
		"OAUTH_INVALID_GRANT":     "/docs/errors/OAUTH_INVALID_GRANT",
		"sign in with javascript": "/docs/sign-in",
	} {
		found := d.index.Find(query)
		if len(found) == 0 || !strings.HasPrefix(found[0].Path, want) {
			paths := []string{}
			for _, f := range found[:min(len(found), 4)] {
				paths = append(paths, f.Path)
			}
			t.Errorf("%q finds %q first, want %s", query, paths, want)
		}
	}
}

func TestPagesForPartnersRunTheSitesScriptsAndNoOthers(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	for _, path := range everyDocsPath(t) {
		policy := v.get(path).Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "blob:") ||
			!strings.HasPrefix(policy, "default-src 'none'; ") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: %s", path, policy)
		}
	}
	if policy := v.get("/").Header.Get("Content-Security-Policy"); strings.Contains(policy, "script-src") {
		t.Errorf("the start page: %s", policy)
	}
}

func TestNoPageForPartnersHasADeadLink(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	pages := map[string]response{}
	for _, path := range everyDocsPath(t) {
		pages[path] = v.get(path)
	}
	for path, a := range pages {
		for n := range a.root.Descendants() {
			href := attribute(n, "href")
			target, fragment, _ := strings.Cut(href, "#")
			if n.Data != "a" || !strings.HasPrefix(target+path, "/docs") || target == documentPath || strings.Contains(target, "://") {
				continue
			}
			if target == "" {
				target = path
			}
			to, there := pages[target]
			if !there || fragment != "" && !strings.Contains(to.body, ` id="`+fragment+`"`) {
				t.Errorf("%s leads to %s", path, href)
			}
		}
	}
}

func TestAnUnknownPageForPartnersIsNotFoundAmongTheOthersInEnglish(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	for _, path := range []string{"/docs/nothing", "/docs/errors.md", "/docs/guides/errors.md", "/docs/errors/NOTHING", "/docs/reference/nothing", "/docs/"} {
		page := v.get(path, func(r *http.Request) { r.Header.Set("Accept-Language", "ar") })
		if page.StatusCode != http.StatusNotFound || page.Header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%s answers %d, %q", path, page.StatusCode, page.Header)
		}
		for _, part := range []string{`<html lang="en"`, "<h1>No such page</h1>", `action="/docs/search"`, `href="/docs/sign-in"`} {
			if !strings.Contains(page.body, part) {
				t.Errorf("%s has no %s", path, part)
			}
		}
	}
}

func TestEveryCodeHasAPageWithASampleAndItsOperations(t *testing.T) {
	t.Parallel()
	d := newDocs(t)
	files, err := docs.Files.ReadDir(docs.ErrorFolder)
	if err != nil {
		t.Fatal(err)
	}
	if codes := answer.Codes(); len(files) != len(codes) {
		t.Errorf("%d texts of %d codes", len(files), len(codes))
	}
	for _, code := range answer.Codes() {
		c := d.pages[guides.Errors+code].Code
		status, _ := answer.StatusOf(code)
		if !strings.HasPrefix(c.Status, strconv.Itoa(status)) {
			t.Errorf("%s: status %q", code, c.Status)
		}
		// A person who declines is told to the app by a redirect, and the last two match no operation.
		if c.Sample == "" && code != "OAUTH_ACCESS_DENIED" {
			t.Errorf("%s has no sample", code)
		}
		if len(c.Operations) == 0 && code != "OAUTH_ACCESS_DENIED" && code != "METHOD_NOT_ALLOWED" {
			t.Errorf("no operation answers with %s", code)
		}
	}
}

func TestAQueryFindsGuidesOperationsAndCodes(t *testing.T) {
	t.Parallel()
	d := newDocs(t)
	for query, want := range map[string]string{
		"publish a job":          "/docs/reference/publishJob",
		"API_KEY_INVALID":        "/docs/errors/API_KEY_INVALID",
		"x-ratelimit-remaining":  "/docs/limits",
		"/v1/jobs/{jobId}/close": "/docs/reference/closeJob",
		"listJobs":               "/docs/reference/listJobs",
		"pkce":                   "/docs/sign-in",
	} {
		hits := d.index.Find(query)
		if !slices.ContainsFunc(hits[:min(5, len(hits))], func(h search.Hit) bool { path, _, _ := strings.Cut(h.Path, "#"); return path == want }) {
			t.Errorf("%q finds %+v", query, hits)
		}
	}
}

// cutOff gives the texts of the blocks of a guide that are wider than their card.
const cutOff = `[...document.querySelectorAll('.guide :is(table, pre, td, th, p, li)')].filter(e => {
  if (!e.offsetParent) return false // not shown
  const card = (e.closest('.card') || e.closest('.guide')).getBoundingClientRect(), box = e.getBoundingClientRect()
  return e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' || box.right > card.right + 1 || box.left < card.left - 1
}).map(e => e.tagName + ': ' + e.innerText.slice(0, 60))`

// brokenWords gives the short words of tables that are broken over several lines.
const brokenWords = `[...document.querySelectorAll('.guide :is(th, td)')].filter(e => {
  if (!e.offsetParent || !/^\S{1,12}$/.test(e.innerText.trim())) return false
  const word = document.createRange(), texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT)
  word.selectNodeContents(texts.nextNode()) // the text alone: boxes of elements round it end elsewhere
  return new Set([...word.getClientRects()].map(line => Math.round(line.bottom))).size > 1
}).map(e => e.innerText)`
