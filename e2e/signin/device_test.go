package signin_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// labels holds the accessible names of the pages in one language.
type labels struct {
	lang, direction                                     string
	email, password, signIn                             string
	scopeProfile, scopeEmail, scopeCV, contact, photo   string
	cvToShare, mainCV, allow, cancel                    string
	sharedCV, shareMyCV, disconnect, disconnectQ, yesDo string
}

var english = labels{
	lang: "en", direction: "ltr",
	email: person.Email, password: person.Password, signIn: person.SignInButton,
	scopeProfile: "Profile", scopeEmail: "Email address", scopeCV: "CV", contact: person.IncludeContact, photo: person.SharePhoto,
	cvToShare: person.CVToShare, mainCV: "Main CV", allow: person.Allow, cancel: person.Cancel,
	sharedCV: person.SharedCV, shareMyCV: person.ShareMyCV, disconnect: person.DisconnectButton,
	disconnectQ: "Disconnect %s?", yesDo: person.YesButton,
}

var arabic = labels{
	lang: "ar", direction: "rtl",
	email: "البريد الإلكتروني", password: "كلمة المرور", signIn: "تسجيل الدخول",
	scopeProfile: "الملف الشخصي", scopeEmail: "عنوان البريد الإلكتروني", scopeCV: "السيرة الذاتية",
	contact: "تضمين بيانات الاتصال الخاصة", photo: "مشاركة صورتي",
	cvToShare: "السيرة الذاتية المراد مشاركتها", mainCV: "السيرة الذاتية الرئيسية", allow: "السماح", cancel: "إلغاء",
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

// checkPage asserts that a page of Vitae has the right language and direction and fits into the window. It
// saves a screenshot if E2E_SCREENSHOTS names a folder.
func (d device) checkPage(page string) {
	d.t.Helper()
	if d.Lang() != d.lang || d.Direction() != d.direction {
		d.t.Errorf("%s: language %q, direction %q; want %q, %q", page, d.Lang(), d.Direction(), d.lang, d.direction)
	}
	d.checkLayout(page)
}

// checkLayout is like checkPage, for a page of the partner's site, which has its own language.
func (d device) checkLayout(page string) {
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

// signInAs submits the sign-in page.
func (d device) signInAs(p world.Person) {
	d.t.Helper()
	d.Find("textbox", d.email).Fill(p.Email)
	d.Find("textbox", d.password).Fill(p.Password)
	d.checkPage("sign-in")
	d.Find("button", d.signIn).Click()
}

// switched waits until an app's switch is in the given state.
func (d device) switched(app string, on bool) {
	d.t.Helper()
	d.Until(fmt.Sprintf("the switch is on: %v", on), func() bool {
		return d.Has("switch", d.shareMyCV) && d.Find("region", app).Find("switch", d.shareMyCV).Checked() == on
	})
}
