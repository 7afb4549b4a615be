package pages

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vitae.internal/docs"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/testkit"
)

// everyDocsPath are the reference and all guides.
func everyDocsPath() []string {
	paths := []string{"/docs"}
	for _, g := range docs.Guides {
		paths = append(paths, "/docs/"+g.Name)
	}
	return paths
}

func TestPagesForPartnersAreTheSameForEverybodyAndLinkEachOther(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		v := visit(t, "https://app.vitae.example")
		v.lang = lang
		v.signIn()
		for _, path := range everyDocsPath() {
			a := v.get(path)
			h := a.Header
			if a.StatusCode != http.StatusOK || h.Get("Content-Language") != "en" || h.Get("Vary") != "" || h.Get("Cache-Control") != "no-cache" || h.Get("X-Robots-Tag") != "" {
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
			if titles != 1 {
				t.Errorf("%s: %d titles", path, titles)
			}
			for _, other := range everyDocsPath() {
				if !slices.Contains(links, other) {
					t.Errorf("%s has no link to %s", path, other)
				}
			}
		}
	}
}

func TestOnlyTheReferenceMayRunScriptsAndNoneFromElsewhere(t *testing.T) {
	v := visit(t, "https://app.vitae.example")
	for _, path := range everyDocsPath() {
		policy := v.get(path).Header.Get("Content-Security-Policy")
		script := strings.Contains(policy, "script-src 'self';")
		if script != (path == "/docs") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "blob:") ||
			!strings.HasPrefix(policy, "default-src 'none'; ") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: %s", path, policy)
		}
	}
}

func TestAnUnknownGuideIsNotFound(t *testing.T) {
	v := visit(t, "https://app.vitae.example")
	for _, path := range []string{"/docs/nothing", "/docs/errors.md", "/docs/guides/errors.md"} {
		if status := v.get(path).StatusCode; status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, status)
		}
	}
}

func TestTheRendererIsTheSamePackedAndUnpacked(t *testing.T) {
	p := newPages(t, newBackend(), "http://127.0.0.1:8081", nil)
	site, err := newSite(Config{AppURL: "http://127.0.0.1:8081", CookieKeys: testkit.Ring("cookie", "a"), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	path, err := site.Asset("redoc.js")
	if err != nil {
		t.Fatal(err)
	}
	get := func(accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if w.Code != http.StatusOK || w.Header().Get("Vary") != "Accept-Encoding" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
			t.Fatalf("%q: %d %v", accept, w.Code, w.Header())
		}
		return w
	}
	plainly := get("").Body.Bytes()
	for _, accept := range []string{"gzip", "deflate, GZIP;q=0.5, br", "gzip; q=1.0"} {
		w := get(accept)
		if w.Header().Get("Content-Encoding") != "gzip" {
			t.Errorf("%q is not answered with gzip", accept)
			continue
		}
		unpacked, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if all, err := io.ReadAll(unpacked); err != nil || !bytes.Equal(all, plainly) {
			t.Errorf("%q: another file (%v)", accept, err)
		}
	}
	for _, accept := range []string{"br", "gzip;q=0", "gzip; q=0.000, br", "*", "x-gzip"} {
		if w := get(accept); w.Header().Get("Content-Encoding") != "" || !bytes.Equal(w.Body.Bytes(), plainly) {
			t.Errorf("%q: %v", accept, w.Header())
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
  const word = document.createRange()
  word.selectNodeContents(e)
  return new Set([...word.getClientRects()].map(line => Math.round(line.bottom))).size > 1
}).map(e => e.innerText)`

func TestNothingOfAGuideIsCutOffOrScrollsByItself(t *testing.T) {
	s, c := startSite(t), startChromium(t)
	for _, width := range []int64{360, 1280, 1920} {
		c.use(device{"en", width, 900, false})
		for _, guide := range docs.Guides {
			c.open(s.url + "/docs/" + guide.Name)
			for _, block := range evaluate[[]string](c, cutOff) {
				t.Errorf("%s at %d px: %s", guide.Name, width, block)
			}
			if broken := evaluate[[]string](c, brokenWords); len(broken) > 0 {
				t.Errorf("%s at %d px: %q are broken over several lines", guide.Name, width, broken)
			}
		}
	}
}
