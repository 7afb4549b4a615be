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

// desk is a developer at a real browser.
type desk struct {
	*browser.Browser
	t   *testing.T
	url string
	who world.Person
	// keyboard is for a developer without a mouse, who reaches everything by Tab.
	keyboard bool
}

func newDesk(t *testing.T, s *scene.Scene, o browser.Options) desk {
	t.Helper()
	return desk{Browser: browser.Start(t, o), t: t, url: s.Stack.ConsoleURLs[0], who: s.World.People[0]}
}

// enter signs in, with consent if it is asked for.
func (d desk) enter() {
	d.t.Helper()
	d.Open(d.url + "/")
	d.Find("textbox", person.Email)
	d.write(person.Email, d.who.Email)
	d.write(person.Password, d.who.Password)
	d.press("button", person.SignInButton)
	again := person.ContinuePrefix + d.who.Name + " to Vitae Console"
	d.Until("the consent or the console", func() bool {
		return d.Has("button", person.Allow) || d.Has("button", again) || strings.HasPrefix(d.URL(), d.url)
	})
	for _, button := range []string{person.Allow, again} {
		if d.Has("button", button) {
			d.press("button", button)
		}
	}
	d.Until("the console", func() bool { return strings.HasPrefix(d.URL(), d.url) })
}

// maxTabs is more than the controls of any page.
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
	d.t.Fatalf("Tab never reaches %s at %s", what, d.URL())
}

// fromMenu follows a link of the menu, which is folded on a phone.
func (d desk) fromMenu(link string) {
	d.t.Helper()
	d.Find("contentinfo", "")
	if d.Has("navigation", "Console") {
		d.t.Fatalf("the menu is open already at %s", d.URL())
	}
	d.tabUntil("the button of the menu", func(f browser.Element) bool { return strings.HasPrefix(f.Name(), "Menu") })
	d.Press(kb.Enter)
	d.press("link", link)
}

// write writes into a field.
func (d desk) write(field, text string) {
	d.t.Helper()
	if !d.keyboard {
		d.Find("textbox", field).Fill(text)
		return
	}
	d.tabTo("textbox", field)
	d.Press(text)
}

// tick ticks a box.
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

// looks are the windows in which every page must be right, with the axe-core rules for each. The
// widest and narrowest windows use all rules; dark mode uses the color rules.
var looks = []struct {
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

// inspect asserts that the page fits into the window, that axe-core finds nothing, and that no
// name runs as a script. It keeps pictures if E2E_SCREENSHOTS names a folder.
func (d desk) inspect(name string) {
	d.t.Helper()
	if d.Injected() {
		d.t.Errorf("%s: the page has an injected script", name)
	}
	pictures := os.Getenv("E2E_SCREENSHOTS")
	for _, look := range looks {
		if look.name == "phone-dark" && pictures == "" {
			continue // its layout is that of phone, its colours are those of dark
		}
		d.Resize(look.width, look.height, look.dark)
		if wider := d.Overflow(); wider > 0 {
			d.t.Errorf("%s, %s: %d px wider than the window", name, look.name, wider)
		}
		if look.faults != nil {
			for _, fault := range look.faults(d.Browser) {
				d.t.Errorf("%s, %s: %s", name, look.name, fault)
			}
		}
		if pictures != "" {
			file := strings.Trim(strings.ReplaceAll(name, "/", "-"), "-") + "-" + look.name + ".png"
			if err := os.WriteFile(filepath.Join(pictures, file), d.Screenshot(), 0o600); err != nil {
				d.t.Fatal(err)
			}
		}
	}
	d.Resize(looks[0].width, looks[0].height, looks[0].dark)
}

// kind is the path of a page with ids reduced to their prefixes, so that pages of two apps have one
// kind. It is empty for addresses that are not pages of the console.
func (d desk) kind(address string) string {
	u, err := url.Parse(address)
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
