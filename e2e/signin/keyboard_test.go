package signin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/world"
)

func TestBrowserJourneyByKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := partnerScene(t)
	d := newDevice(t, "keyboard", english, browser.Options{})
	d.Open(partnerSite(t, s, "web"))
	d.tabTo("button", "Sign in with Vitae")
	d.Press(kb.Enter)

	d.Find("textbox", d.email)
	d.tabTo("textbox", d.email)
	d.Press(s.World.People[0].Email)
	d.tabTo("textbox", d.password)
	d.Press(s.World.People[0].Password + kb.Enter)

	d.FindWith("heading", s.AppName(t, "web"))
	d.tabTo("checkbox", d.scopeEmail)
	d.Press(" ")
	d.tabToRadio("السيرة الذاتية")
	d.tabTo("checkbox", d.contact)
	if d.Focused().Checked() {
		d.Press(" ")
	}
	d.tabTo("button", d.allow)
	d.Press(kb.Enter)

	d.Find("heading", "Layla Haddad")
	shown := d.Text()
	if !strings.Contains(shown, "مهندسة أولى") || strings.Contains(shown, world.Phone) || strings.Contains(shown, s.World.People[0].Email) {
		t.Errorf("the partner site shows another choice than was made:\n%s", shown)
	}

	app := s.AppName(t, "web")
	d.Open(s.Stack.AppURLs[0] + "/connections")
	d.Find("region", app)
	d.tabTo("switch", d.shareMyCV)
	d.Press(" ")
	d.switched(app, false)
	d.tabTo("button", d.disconnect)
	d.Press(kb.Enter)
	d.Find("heading", fmt.Sprintf(d.disconnectQ, app))
	d.tabTo("button", d.yesDo)
	d.Press(kb.Enter)
	d.Gone("button", d.yesDo)
	d.Gone("region", app)
}

// maxTabs is more than the controls of any page.
const maxTabs = 60

// tabTo presses Tab until an element has the focus.
func (d device) tabTo(role, name string) {
	d.t.Helper()
	for range maxTabs {
		if f := d.Focused(); f.Role() == role && f.Name() == name {
			return
		}
		d.Press(kb.Tab)
	}
	d.t.Fatalf("Tab never reaches %s %q", role, name)
}

// tabToRadio presses Tab until a radio button has the focus, then an arrow key until
// the named one has it.
func (d device) tabToRadio(name string) {
	d.t.Helper()
	for range maxTabs {
		if d.Focused().Role() == "radio" {
			break
		}
		d.Press(kb.Tab)
	}
	for range maxTabs {
		f := d.Focused()
		if f.Role() != "radio" {
			break
		}
		if f.Name() == name {
			return
		}
		d.Press(kb.ArrowDown)
	}
	d.t.Fatalf("the arrow keys never reach the radio button %q", name)
}
