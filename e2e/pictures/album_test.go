package pictures_test

import (
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/browser"
)

// window is the size of a browser window.
type window struct {
	name          string
	width, height int64
}

// The narrowest phones, and a desktop at 400 % zoom, have a width of 320 pixels (WCAG 2.2, 1.4.10).
var windows = []window{{"desktop", 1280, 900}, {"phone", 390, 844}, {"narrow", 320, 640}}

// album collects screenshots in a folder. The folder is "" if no screenshots are requested.
type album struct {
	folder string
	mu     sync.Mutex
	states []string
}

// newAlbum returns an album that saves screenshots if E2E_SCREENSHOTS names a folder.
func newAlbum(t *testing.T) *album {
	t.Helper()
	a := &album{folder: os.Getenv("E2E_SCREENSHOTS")}
	if a.folder != "" {
		if err := os.MkdirAll(a.folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// check checks the current page and saves screenshots. Both languages use the same templates, so
// accessibility is checked only in the desktop window in English and in the narrow window in Arabic.
// Dark mode changes only colors.
func (a *album) check(t *testing.T, b *browser.Browser, language, state string) {
	t.Helper()
	a.mu.Lock()
	if !slices.Contains(a.states, state) {
		a.states = append(a.states, state)
	}
	a.mu.Unlock()
	checked := windows[0]
	if language == "ar" {
		checked = windows[len(windows)-1]
	}
	for _, w := range windows {
		b.Resize(w.width, w.height, false)
		fits(t, b, language, state, w.name)
		if w != checked {
			continue
		}
		for _, fault := range b.Inaccessible() {
			t.Errorf("%s %s %s: %s", language, w.name, state, fault)
		}
		b.Resize(w.width, w.height, true)
		for _, fault := range b.Illegible() {
			t.Errorf("%s %s %s, dark: %s", language, w.name, state, fault)
		}
		b.Resize(w.width, w.height, false)
	}
	b.Widen(true) // in the last window, which is the narrowest
	fits(t, b, language, state, "narrow, with a wide font,")
	b.Widen(false)
	a.save(t, b, language, state)
	b.Resize(windows[0].width, windows[0].height, false)
}

func fits(t *testing.T, b *browser.Browser, language, state, window string) {
	t.Helper()
	if wider := b.Overflow(); wider > 0 {
		t.Errorf("%s %s %s: %d px wider than the window: %s", language, window, state, wider, strings.Join(b.Wide(), "; "))
	}
}

func fileOf(language, state string, w window, dark bool) string {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return fmt.Sprintf("%s-%s-%s-%s.png", state, language, w.name, scheme)
}

// save saves a screenshot of the page for every window and color scheme, if screenshots are requested.
func (a *album) save(t *testing.T, b *browser.Browser, language, state string) {
	t.Helper()
	if a.folder == "" {
		return
	}
	for _, w := range windows {
		for _, dark := range []bool{false, true} {
			b.Resize(w.width, w.height, dark)
			// The window is extended to the height of the page, so elements at the bottom of the window
			// are at the end of the screenshot.
			b.Resize(w.width, max(w.height, b.Height()), dark)
			if err := os.WriteFile(filepath.Join(a.folder, fileOf(language, state, w, dark)), b.Screenshot(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

var index = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Pictures of Vitae</title>
<style>body{font:16px/1.5 system-ui;margin:2rem;background:#ddd}section>div{display:flex;gap:1rem;overflow:auto;align-items:start}img{height:28rem;width:auto;border:1px solid #999}figure{margin:0}</style>
<h1>Pictures of Vitae</h1>
{{range .}}<section><h2>{{.State}}</h2><div>{{range .Files}}<figure><a href="{{.}}"><img loading="lazy" src="{{.}}" alt="{{.}}"></a><figcaption>{{.}}</figcaption></figure>{{end}}</div></section>
{{end}}</html>
`))

// close writes an HTML page that shows all screenshots.
func (a *album) close(t *testing.T) {
	t.Helper()
	if a.folder == "" {
		return
	}
	type row struct {
		State string
		Files []string
	}
	var rows []row
	for _, state := range a.states {
		r := row{State: state}
		for _, language := range []string{"en", "ar"} {
			for _, w := range windows {
				for _, dark := range []bool{false, true} {
					file := fileOf(language, state, w, dark)
					if _, err := os.Stat(filepath.Join(a.folder, file)); err == nil {
						r.Files = append(r.Files, file)
					}
				}
			}
		}
		rows = append(rows, r)
	}
	out, err := os.Create(filepath.Join(a.folder, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if err := index.Execute(out, rows); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
