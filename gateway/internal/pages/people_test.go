//go:build !nobrowser

package pages_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp/kb"

	"vitae.internal/gateway/internal/pages/pagestest"
)

// words holds the documented accessible names of controls in one language.
type words struct {
	email, password, signIn, consent, cvToShare           string
	profile, mail, cv, contact, photo                     string
	allow, cancel                                         string
	sharedCV, share, disconnect, disconnectQ, disconnect2 string
	mainCV                                                string
}

var spoken = map[string]words{
	"en": {
		"Email", "Password", "Sign in", "Acme Jobs wants to connect to your Vitae account", "CV to share",
		"Profile", "Email address", "CV", "Include private contact details", "Share my photo", "Allow", "Cancel",
		"Shared CV", "Share my CV", "Disconnect", "Disconnect Acme Jobs?", "Yes, disconnect", "Main CV",
	},
	"ar": {
		"البريد الإلكتروني", "كلمة المرور", "تسجيل الدخول", "يريد Acme Jobs الاتصال بحسابك في Vitae", "السيرة الذاتية المراد مشاركتها",
		"الملف الشخصي", "عنوان البريد الإلكتروني", "السيرة الذاتية", "تضمين بيانات الاتصال الخاصة", "مشاركة صورتي", "السماح", "إلغاء",
		"السيرة الذاتية المشتركة", "مشاركة سيرتي الذاتية", "فصل", "هل تريد فصل Acme Jobs؟", "نعم، افصل", "السيرة الذاتية الرئيسية",
	},
}

func TestKeyboardJourneyWithoutScripts(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	c.Use(pagestest.Device{Lang: "en", Width: 360, Height: 740})
	w := spoken["en"]

	c.Open(s.ConsentURL())
	c.TabTo("textbox", w.email)
	c.Press(pagestest.GoodEmail)
	c.TabTo("textbox", w.password)
	c.Press("wrong")
	c.Leave("\r")
	if field := c.Find("textbox", w.password); !field.Invalid || field.Description == "" {
		t.Errorf("the field does not describe the error: %+v", field)
	}
	c.AwaitFocus("textbox")
	c.Press(pagestest.GoodPassword)
	c.Leave("\r")

	c.Find("heading", w.consent)
	c.TabTo("group", w.profile)
	if profile := c.Find("group", w.profile); !strings.Contains(profile.Description, "Always included") {
		t.Errorf("the page does not say that the profile is always included: %+v", profile)
	}
	c.TabTo("checkbox", w.photo)
	c.Press(" ")
	c.TabTo("checkbox", w.mail)
	c.Press(" ")
	c.TabTo("radio", w.mainCV)
	c.Press(kb.ArrowDown)
	if !c.Find("radio", "Front-end, short").Checked {
		t.Error("the arrow key does not select the next CV")
	}
	c.TabTo("checkbox", w.contact)
	c.Press(" ")
	c.TabTo("button", w.allow)
	c.Leave("\r")

	got := <-s.Arrived
	if got.Get("code") != "svc_ac_code+/=" || got.Get("state") != "a b&c=\"✓\"\r\n" || got.Get("iss") != pagestest.BaseURL {
		t.Errorf("the app receives %v", got)
	}
	c.Find("heading", "Welcome") // the policy allowed the callback to redirect the browser
	req := s.Backend.Authorized[0]
	if !slices.Equal(req.GetGrantedScopes(), []string{"profile", "cv:read", "cv:contact"}) || req.GetCvId() != "cv_2" || !req.GetSharePhoto() {
		t.Errorf("granted %v, CV %s, photo %t", req.GetGrantedScopes(), req.GetCvId(), req.GetSharePhoto())
	}

	c.Open(s.URL + "/connections")
	c.TabTo("switch", w.share)
	c.Leave(" ")
	if s.Backend.Connections[0].GetCvSharing() {
		t.Error("the switch does not turn sharing off")
	}
	c.TabTo("button", w.disconnect)
	c.Leave("\r")
	c.Find("heading", w.disconnectQ)
	c.TabTo("button", w.disconnect2)
	c.Leave("\r")
	if c.Find("status", ""); len(s.Backend.Connections) != 2 {
		t.Error("the app is still connected")
	}
}

func TestControlsHaveDocumentedNames(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	for lang, w := range spoken {
		c.Use(pagestest.Device{Lang: lang, Width: 1280, Height: 900})
		pagestest.Call(c, network.ClearBrowserCookies, cdp.Empty{})
		c.Open(s.URL + "/sign-in")
		c.Find("textbox", w.email)
		c.Find("textbox", w.password)
		c.Find("button", w.signIn)
		signIn(c, w)

		c.Open(s.ConsentURL())
		c.Find("heading", w.consent)
		if profile := c.Find("checkbox", w.profile); !profile.Checked || !profile.Disabled {
			t.Errorf("%s: the profile checkbox is not ticked and locked: %+v", lang, profile)
		}
		for name, checked := range map[string]bool{w.mail: true, w.cv: true, w.contact: false, w.photo: false} {
			if box := c.Find("checkbox", name); box.Checked != checked || box.Disabled {
				t.Errorf("%s: wrong state: %+v", lang, box)
			}
		}
		c.Find("radiogroup", w.cvToShare)
		if !c.Find("radio", w.mainCV).Checked || c.Find("radio", "Front-end, short").Checked {
			t.Errorf("%s: a CV other than the first is selected", lang)
		}
		c.Find("button", w.allow)
		c.Find("button", w.cancel)

		c.Open(s.URL + "/connections")
		for _, app := range []string{"Acme Jobs", "نور للتوظيف", "Badge Maker"} {
			c.Find("region", app)
		}
		s.Backend.Connections = s.Backend.Connections[:1]
		c.Open(s.URL + "/connections")
		c.Find("combobox", w.sharedCV)
		if !c.Find("switch", w.share).Checked {
			t.Errorf("%s: the switch does not report that it is on", lang)
		}
		c.Find("button", w.disconnect)
		c.Open(s.URL + "/connections/con_1/disconnect")
		c.Find("heading", w.disconnectQ)
		c.Find("button", w.disconnect2)
		s.Backend.Connections = pagestest.NewBackend().Connections
	}
}

// signIn fills in and submits the open sign-in form.
func signIn(c *pagestest.Chromium, w words) {
	c.TabTo("textbox", w.email)
	c.Press(pagestest.GoodEmail)
	c.TabTo("textbox", w.password)
	c.Press(pagestest.GoodPassword)
	c.Leave("\r")
}
