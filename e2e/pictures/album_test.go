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

// window is what a page is looked at in.
type window struct {
	name          string
	width, height int64
}

// A phone of 320 pixels is the narrowest that is sold, and a desktop at 400 % (WCAG 2.2,
// 1.4.10).
var windows = []window{{"desktop", 1280, 900}, {"phone", 390, 844}, {"narrow", 320, 640}}

// album is the folder with the pictures. It is empty if nobody wants to see them.
type album struct {
	folder string
	mu     sync.Mutex
	states []string
}

// newAlbum makes pictures if E2E_SCREENSHOTS names a folder.
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

// look looks at the page that is open. Both languages have the same templates, so the pages are
// checked for accessibility in the desktop's window in English and in the narrow one in Arabic.
// Dark colours change nothing but colours.
func (a *album) look(t *testing.T, b *browser.Browser, language, state string) {
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
	b.Widen(true) // in the last window, the narrow one
	fits(t, b, language, state, "narrow, with a wide font,")
	b.Widen(false)
	a.keep(t, b, language, state)
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

// keep keeps a picture of the page in every window and colour, if pictures are wanted.
func (a *album) keep(t *testing.T, b *browser.Browser, language, state string) {
	t.Helper()
	if a.folder == "" {
		return
	}
	for _, w := range windows {
		for _, dark := range []bool{false, true} {
			b.Resize(w.width, w.height, dark)
			// The window grows to the page, so that what keeps to the edge of the window is at its end.
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

// close writes the page that shows all pictures.
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
