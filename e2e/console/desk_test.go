package console_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// desk is a developer with a real browser.
type desk struct {
	*browser.Browser
	t   *testing.T
	url string
	who world.Person
	// keyboard is set for a developer without a mouse, who uses Tab to reach every control.
	keyboard bool
}

func newDesk(t *testing.T, s *scene.Scene, o browser.Options) desk {
	t.Helper()
	return desk{Browser: browser.Start(t, o), t: t, url: s.Stack.ConsoleURLs[0], who: s.World.People[0]}
}

// enter signs in, and consents if necessary.
func (d desk) enter() {
	d.t.Helper()
	d.Open(d.url + "/")
	d.Find("textbox", person.Email)
	d.write(person.Email, d.who.Email)
	d.write(person.Password, d.who.Password)
	d.press("button", person.SignInButton)
	again := person.ContinuePrefix + d.who.Name + " to Vitae Console"
	d.Until("the consent page or the console", func() bool {
		return d.Has("button", person.Allow) || d.Has("button", again) || strings.HasPrefix(d.URL(), d.url)
	})
	for _, button := range []string{person.Allow, again} {
		if d.Has("button", button) {
			d.press("button", button)
		}
	}
	d.Until("the console", func() bool { return strings.HasPrefix(d.URL(), d.url) })
}

// maxTabs is higher than the number of controls on any page.
const maxTabs = 150

// tabTo presses Tab until an element has the focus.
func (d desk) tabTo(role, name string) {
	d.t.Helper()
	d.Find(role, name)
	d.tabUntil(role+" "+name, func(f browser.Element) bool { return f.Role() == role && f.Name() == name })
}

func (d desk) tabUntil(what string, reached func(browser.Element) bool) {
	d.t.Helper()
	for range maxTabs {
		if reached(d.Focused()) {
			return
		}
		d.Press(kb.Tab)
	}
	d.t.Fatalf("Tab does not reach %s on %s", what, d.URL())
}

// fromMenu opens the menu, which is collapsed on a phone, and follows a link.
func (d desk) fromMenu(link string) {
	d.t.Helper()
	d.Find("contentinfo", "")
	if d.Has("navigation", "Console") {
		d.t.Fatalf("the menu is already open on %s", d.URL())
	}
	d.tabUntil("the menu button", func(f browser.Element) bool { return strings.HasPrefix(f.Name(), "Menu") })
	d.Press(kb.Enter)
	d.press("link", link)
}

// write enters text into a field.
func (d desk) write(field, text string) {
	d.t.Helper()
	if !d.keyboard {
		d.Find("textbox", field).Fill(text)
		return
	}
	d.tabTo("textbox", field)
	d.Press(text)
}

// tick ticks a checkbox.
func (d desk) tick(box string) {
	d.t.Helper()
	if !d.keyboard {
		d.Find("checkbox", box).Set(true)
		return
	}
	d.tabTo("checkbox", box)
	if !d.Focused().Checked() {
		d.Press(" ")
	}
}

// press follows a link or presses a button.
func (d desk) press(role, name string) {
	d.t.Helper()
	if !d.keyboard {
		d.Find(role, name).Click()
		return
	}
	d.tabTo(role, name)
	d.Press(kb.Enter)
}

// viewports lists the windows in which every page is checked, each with its axe-core rules. The widest
// and the narrowest window use all rules; dark mode uses only the color rules.
var viewports = []struct {
	name          string
	width, height int64
	dark          bool
	faults        func(*browser.Browser) []string
}{
	{"light", 1280, 900, false, (*browser.Browser).Inaccessible},
	{"dark", 1280, 900, true, (*browser.Browser).Illegible},
	{"phone", 390, 844, false, nil},
	{"phone-dark", 390, 844, true, nil},
	{"narrow", 320, 640, false, (*browser.Browser).Inaccessible},
}

// inspect asserts that the page fits into the window, that axe-core finds no violations, and that no
// name runs as a script. It saves screenshots if E2E_SCREENSHOTS names a folder.
func (d desk) inspect(name string) {
	d.t.Helper()
	if d.Injected() {
		d.t.Errorf("%s: the page has an injected script", name)
	}
	pictures := os.Getenv("E2E_SCREENSHOTS")
	for _, view := range viewports {
		if view.name == "phone-dark" && pictures == "" {
			continue // phone covers its layout, and dark its colors
		}
		d.Resize(view.width, view.height, view.dark)
		if wider := d.Overflow(); wider > 0 {
			d.t.Errorf("%s, %s: %d px wider than the window", name, view.name, wider)
		}
		if view.faults != nil {
			for _, fault := range view.faults(d.Browser) {
				d.t.Errorf("%s, %s: %s", name, view.name, fault)
			}
		}
		if pictures != "" {
			file := strings.Trim(strings.ReplaceAll(name, "/", "-"), "-") + "-" + view.name + ".png"
			if err := os.WriteFile(filepath.Join(pictures, file), d.Screenshot(), 0o600); err != nil {
				d.t.Fatal(err)
			}
		}
	}
	d.Resize(viewports[0].width, viewports[0].height, viewports[0].dark)
}

// kind returns the path of a page with ids reduced to their prefixes, so the pages of two apps have the
// same kind. It returns "" for URLs that are not pages of the console.
func (d desk) kind(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Scheme+"://"+u.Host != d.url || strings.HasSuffix(u.Path, ".csv") {
		return ""
	}
	parts := strings.Split(u.Path, "/")
	for i, part := range parts {
		if prefix, id, ok := strings.Cut(part, "_"); ok && len(id) == 26 {
			parts[i] = prefix + "_"
		}
	}
	return strings.Join(parts, "/")
}
