package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// labels are the accessible names of the pages in one language.
type labels struct {
	lang, direction                                     string
	email, password, signIn                             string
	scopeProfile, scopeEmail, scopeCV, contact, photo   string
	cvToShare, allow, cancel                            string
	sharedCV, shareMyCV, disconnect, disconnectQ, yesDo string
}

var english = labels{
	lang: "en", direction: "ltr",
	email: person.Email, password: person.Password, signIn: person.SignInButton,
	scopeProfile: "Profile", scopeEmail: "Email address", scopeCV: "CV", contact: person.IncludeContact, photo: person.SharePhoto,
	cvToShare: person.CVToShare, allow: person.Allow, cancel: person.Cancel,
	sharedCV: person.SharedCV, shareMyCV: person.ShareMyCV, disconnect: person.DisconnectButton,
	disconnectQ: "Disconnect %s?", yesDo: person.YesButton,
}

var arabic = labels{
	lang: "ar", direction: "rtl",
	email: "البريد الإلكتروني", password: "كلمة المرور", signIn: "تسجيل الدخول",
	scopeProfile: "الملف الشخصي", scopeEmail: "عنوان البريد الإلكتروني", scopeCV: "السيرة الذاتية",
	contact: "تضمين بيانات الاتصال الخاصة", photo: "مشاركة صورتي",
	cvToShare: "السيرة الذاتية المراد مشاركتها", allow: "السماح", cancel: "إلغاء",
	sharedCV: "السيرة الذاتية المشتركة", shareMyCV: "مشاركة سيرتي الذاتية", disconnect: "فصل",
	disconnectQ: "هل تريد فصل %s؟", yesDo: "نعم، افصل",
}

// device is one person's browser in one journey.
type device struct {
	*browser.Browser
	t    *testing.T
	name string
	labels
}

func newDevice(t *testing.T, name string, l labels, o browser.Options) device {
	t.Helper()
	o.Language = l.lang
	return device{browser.Start(t, o), t, name, l}
}

// seen checks what every page of ours must hold in this language and width, and
// keeps a picture if asked.
func (d device) seen(page string) {
	d.t.Helper()
	if d.Lang() != d.lang || d.Direction() != d.direction {
		d.t.Errorf("%s: language %q, direction %q; want %q, %q", page, d.Lang(), d.Direction(), d.lang, d.direction)
	}
	d.drawn(page)
}

// drawn checks that the page fits into the window, and keeps a picture if asked.
func (d device) drawn(page string) {
	d.t.Helper()
	if wider := d.Overflow(); wider > 0 {
		d.t.Errorf("%s %s: %d px wider than the window", d.name, page, wider)
	}
	dir := os.Getenv("E2E_SCREENSHOTS")
	if dir == "" {
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, d.name+"-"+page+".png"), d.Screenshot(), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// signIn fills in the sign-in page.
func (d device) signInAs(p world.Person) {
	d.t.Helper()
	d.Find("textbox", d.email).Fill(p.Email)
	d.Find("textbox", d.password).Fill(p.Password)
	d.seen("sign-in")
	d.Find("button", d.signIn).Click()
}

func TestBrowserJourneyFromThePartnerSiteAndBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		labels labels
		device browser.Options
	}{
		{"en-desktop", english, browser.Options{}},
		{"ar-desktop", arabic, browser.Options{}},
		{"en-phone", english, browser.Options{Width: 360, Height: 740, NoScript: true}},
		{"ar-phone", arabic, browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := partnerScene(t)
			d := newDevice(t, c.name, c.labels, c.device)
			site := s.partnerSite(t, "web")
			d.Open(site)
			d.drawn("partner-start")
			d.Find("button", "Sign in with Vitae").Click()
			d.signInAs(s.world.People[0])
			d.consent(s)
			link := d.partnerPage(s)
			d.connections(s, link)
			d.Open(site) // the next read finds the grant gone
			d.Find("button", "Sign in with Vitae")
			d.drawn("partner-signed-out")
			if strings.Contains(d.Text(), "Layla Haddad") {
				t.Error("the partner site still shows who was signed in")
			}
		})
	}
}

// consent chooses the main CV, refuses the e-mail address, and includes contact
// details and the photo.
func (d device) consent(s *scene) {
	d.t.Helper()
	d.FindWith("heading", s.appName(d.t, "web"))
	profile := d.Find("checkbox", d.scopeProfile)
	if !profile.Checked() || !profile.Disabled() {
		d.t.Errorf("profile is not fixed on: checked %v, disabled %v", profile.Checked(), profile.Disabled())
	}
	d.FindWith("radiogroup", d.cvToShare)
	if radios := d.All("radio"); len(radios) != 2 {
		d.t.Errorf("%d radio buttons, want one for each CV", len(radios))
	}
	d.Find("button", d.cancel)
	d.seen("consent")
	d.Find("radio", "Main CV").Click()
	d.Find("checkbox", d.scopeEmail).Set(false)
	d.Find("checkbox", d.scopeCV).Set(true)
	d.Find("checkbox", d.contact).Set(true)
	d.Find("checkbox", d.photo).Set(true)
	d.drawn("consent-filled")
	d.Find("button", d.allow).Click()
}

// partnerPage checks what the partner site shows, and gives the durable link.
func (d device) partnerPage(s *scene) string {
	d.t.Helper()
	d.Find("heading", "Layla Haddad")
	d.drawn("partner-cv")
	shown := d.Text()
	for _, want := range []string{"Lead engineer", "Careem", world.Phone, "Villa 12", "Jordanian", "profile", "cv:read", "cv:contact"} {
		if !strings.Contains(shown, want) {
			d.t.Errorf("the partner site does not show %q", want)
		}
	}
	if strings.Contains(shown, s.world.People[0].Email) {
		d.t.Error("the partner site shows the e-mail address that was refused")
	}
	link := d.FindWith("link", "/v1/cv-links/").Attribute("href")
	text := document(d.t, open(d.t, link))
	shows(d.t, "durable link", flattened(text), true, "Layla Haddad", world.Phone)
	d.Find("link", "Open the PDF")
	return link
}

// connections turns sharing off and on, changes the CV, and disconnects.
func (d device) connections(s *scene, link string) {
	d.t.Helper()
	app := s.appName(d.t, "web")
	d.Open(s.stack.AppURLs[0] + "/connections")
	region := d.Find("region", app)
	region.Find("combobox", d.sharedCV)
	d.seen("connections")

	region.Find("switch", d.shareMyCV).Click()
	d.switched(app, false)
	refused(d.t, open(d.t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	d.drawn("connections-off")
	d.Find("region", app).Find("switch", d.shareMyCV).Click()
	d.switched(app, true)

	d.Find("region", app).Find("button", d.disconnect).Click()
	d.Find("heading", fmt.Sprintf(d.disconnectQ, app))
	d.seen("disconnect")
	d.Find("button", d.yesDo).Click()
	d.Gone("region", app)
	d.Gone("button", d.yesDo)
	d.seen("connections-none")
}

// switched waits until the switch of an app says so.
func (d device) switched(app string, on bool) {
	d.t.Helper()
	d.Until(fmt.Sprintf("the switch says %v", on), func() bool {
		return d.Has("switch", d.shareMyCV) && d.Find("region", app).Find("switch", d.shareMyCV).Checked() == on
	})
}

func TestBrowserJourneyByKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := partnerScene(t)
	d := newDevice(t, "keyboard", english, browser.Options{})
	d.Open(s.partnerSite(t, "web"))
	d.tabTo("button", "Sign in with Vitae")
	d.Press(kb.Enter)

	d.Find("textbox", d.email)
	d.tabTo("textbox", d.email)
	d.Press(s.world.People[0].Email)
	d.tabTo("textbox", d.password)
	d.Press(s.world.People[0].Password + kb.Enter)

	d.FindWith("heading", s.appName(t, "web"))
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
	if !strings.Contains(shown, "مهندسة أولى") || strings.Contains(shown, world.Phone) || strings.Contains(shown, s.world.People[0].Email) {
		t.Errorf("the partner site shows another choice than was made:\n%s", shown)
	}

	app := s.appName(t, "web")
	d.Open(s.stack.AppURLs[0] + "/connections")
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

// maxTabs is more than any page of ours has stops.
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

// tabToRadio presses Tab until a radio button has the focus, and an arrow key until
// it is the one.
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

func TestBrowserShowsPublicPagesAndFaultsInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		labels labels
		device browser.Options
	}{
		{"en-desktop", english, browser.Options{}},
		{"ar-desktop", arabic, browser.Options{}},
		{"en-phone", english, browser.Options{Width: 360, Height: 740, NoScript: true}},
		{"ar-phone", arabic, browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			d := newDevice(t, c.name, c.labels, c.device)
			base := s.stack.AppURLs[0]
			d.Open(base + "/")
			d.seen("home")
			d.Open(base + "/connections")
			d.Find("textbox", d.email).Fill("nobody-" + world.Unique() + "@example.com")
			d.Find("textbox", d.password).Fill("not the password")
			d.Find("button", d.signIn).Click()
			d.Find("alert", "")
			d.seen("sign-in-failed")
			d.Open(base + "/p/" + s.world.People[0].Username)
			d.Find("heading", "Layla Haddad")
			d.seen("public-profile")
			d.Open(base + "/p/" + s.world.People[0].Username + "/cv")
			d.FindWith("heading", "Layla Haddad")
			d.seen("public-cv")
			d.Open(base + "/nothing-here")
			d.seen("not-found")
			d.Open(base + "/oauth/authorize?client_id=unknown")
			d.seen("unknown-app")
		})
	}
}
