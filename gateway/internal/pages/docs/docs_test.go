package docs_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/pagestest"
)

// read opens the first page, the pages about error codes, and every page for partners that these
// link to, directly or indirectly.
func read(v *pagestest.Visitor) map[string]pagestest.Response {
	pages, open := map[string]pagestest.Response{}, []string{"/docs", "/docs/search?q=job"}
	for _, code := range answer.Codes() {
		open = append(open, "/docs/errors/"+code)
	}
	for ; len(open) > 0; open = open[1:] {
		path := open[0]
		if _, seen := pages[path]; seen {
			continue
		}
		pages[path] = v.Get(path)
		for _, link := range pages[path].Elements("a") {
			to, _, _ := strings.Cut(pagestest.Attribute(link, "href"), "#")
			if (to == "/docs" || strings.HasPrefix(to, "/docs/")) && to != "/docs/openapi.json" {
				open = append(open, to)
			}
		}
	}
	return pages
}

func TestPartnerPagesAreSharedAndLinked(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Lang = "ar"
	pages := read(v)
	for path, a := range pages {
		h := a.Header
		found := strings.HasPrefix(path, "/docs/search")
		if a.StatusCode != http.StatusOK || h.Get("Content-Language") != "en" || h.Get("Vary") != "" || h.Get("Cache-Control") != "no-cache" || (h.Get("X-Robots-Tag") != "") != found {
			t.Errorf("%s: status %d, %v", path, a.StatusCode, h)
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || !strings.Contains(policy, "script-src 'self'") || !strings.Contains(policy, "frame-ancestors 'none'") ||
			strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "blob:") {
			t.Errorf("%s: the policy is %s", path, policy)
		}
		if title, text := strings.Index(a.Body, "<h1"), strings.Index(a.Body, `class="card"`); len(a.Elements("title")) != 1 || text >= 0 && text < title {
			t.Errorf("%s: %d titles, the text begins at %d, the title at %d", path, len(a.Elements("title")), text, title)
		}
		for _, link := range a.Elements("a") {
			target, fragment, _ := strings.Cut(pagestest.Attribute(link, "href"), "#")
			if target == "" {
				target = path
			}
			if to, there := pages[target]; fragment != "" && there && !strings.Contains(to.Body, ` id="`+fragment+`"`) {
				t.Errorf("%s links to %s#%s, which does not exist", path, target, fragment)
			}
		}
		for to := range pages {
			if listed := strings.HasPrefix(to, "/docs/reference/") || to == "/docs/sign-in"; listed && a.ByHref(to) == nil {
				t.Errorf("%s does not list %s", path, to)
			}
		}
	}
}

func TestUnknownPartnerPageIsNotFound(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Lang = "ar"
	for _, path := range []string{"/docs/nothing", "/docs/errors.md", "/docs/guides/errors.md", "/docs/errors/NOTHING", "/docs/reference/nothing", "/docs/"} {
		page := v.Get(path)
		if page.StatusCode != http.StatusNotFound || page.Header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%s: status %d, %q", path, page.StatusCode, page.Header)
		}
		for _, part := range []string{`<html lang="en"`, "<h1>No such page</h1>", `action="/docs/search"`, `href="/docs/sign-in"`} {
			if !strings.Contains(page.Body, part) {
				t.Errorf("%s does not contain %s", path, part)
			}
		}
	}
}
