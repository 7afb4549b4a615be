//go:build !nobrowser

package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp/kb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
)

// words are the accessible names that outsiders rely on, in one language.
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

func TestKeyboardAloneSignsInConsentsAndDisconnectsWithoutJavaScript(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	c.use(device{lang: "en", width: 360, height: 740})
	w := spoken["en"]

	c.open(s.consentURL())
	c.tabTo("textbox", w.email)
	c.press(goodEmail)
	c.tabTo("textbox", w.password)
	c.press("wrong")
	c.leave("\r")
	if field := c.find("textbox", w.password); !field.invalid || field.description == "" {
		t.Errorf("the field does not say what is wrong: %+v", field)
	}
	c.awaitFocus("textbox")
	c.press(goodPassword)
	c.leave("\r")

	c.find("heading", w.consent)
	c.tabTo("group", w.profile)
	if profile := c.find("group", w.profile); !strings.Contains(profile.description, "Always included") {
		t.Errorf("what is fixed is not said: %+v", profile)
	}
	c.tabTo("checkbox", w.photo)
	c.press(" ")
	c.tabTo("checkbox", w.mail)
	c.press(" ")
	c.tabTo("radio", w.mainCV)
	c.press(kb.ArrowDown)
	if !c.find("radio", "Front-end, short").checked {
		t.Error("the arrow key does not choose the next CV")
	}
	c.tabTo("checkbox", w.contact)
	c.press(" ")
	c.tabTo("button", w.allow)
	c.leave("\r")

	got := <-s.arrived
	if got.Get("code") != "svc_ac_code+/=" || got.Get("state") != "a b&c=\"✓\"\r\n" || got.Get("iss") != baseURL {
		t.Errorf("the app gets %v", got)
	}
	c.find("heading", "Welcome") // the policy let the callback send the browser on
	req := s.backend.authorized[0]
	if !slices.Equal(req.GetGrantedScopes(), []string{"profile", "cv:read", "cv:contact"}) || req.GetCvId() != "cv_2" || !req.GetSharePhoto() {
		t.Errorf("granted %v, CV %s, photo %t", req.GetGrantedScopes(), req.GetCvId(), req.GetSharePhoto())
	}

	c.open(s.url + "/connections")
	c.tabTo("switch", w.share)
	c.leave(" ")
	if s.backend.connections[0].GetCvSharing() {
		t.Error("the switch does not switch")
	}
	c.tabTo("button", w.disconnect)
	c.leave("\r")
	c.find("heading", w.disconnectQ)
	c.tabTo("button", w.disconnect2)
	c.leave("\r")
	if c.find("status", ""); len(s.backend.connections) != 2 {
		t.Error("the app is still connected")
	}
}

func TestControlsHaveTheNamesThatOutsidersRelyOn(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	for lang, w := range spoken {
		c.use(device{lang: lang, width: 1280, height: 900})
		call(c, network.ClearBrowserCookies, cdp.Empty{})
		c.open(s.url + "/sign-in")
		c.find("textbox", w.email)
		c.find("textbox", w.password)
		c.find("button", w.signIn)
		c.signIn(w)

		c.open(s.consentURL())
		c.find("heading", w.consent)
		if profile := c.find("checkbox", w.profile); !profile.checked || !profile.disabled {
			t.Errorf("%s: profile is not fixed on: %+v", lang, profile)
		}
		for name, checked := range map[string]bool{w.mail: true, w.cv: true, w.contact: false, w.photo: false} {
			if box := c.find("checkbox", name); box.checked != checked || box.disabled {
				t.Errorf("%s: %+v", lang, box)
			}
		}
		c.find("radiogroup", w.cvToShare)
		if !c.find("radio", w.mainCV).checked || c.find("radio", "Front-end, short").checked {
			t.Errorf("%s: another CV than the first is chosen", lang)
		}
		c.find("button", w.allow)
		c.find("button", w.cancel)

		c.open(s.url + "/connections")
		for _, app := range []string{"Acme Jobs", "نور للتوظيف", "Badge Maker"} {
			c.find("region", app)
		}
		s.backend.connections = s.backend.connections[:1]
		c.open(s.url + "/connections")
		c.find("combobox", w.sharedCV)
		if !c.find("switch", w.share).checked {
			t.Errorf("%s: the switch does not say that it is on", lang)
		}
		c.find("button", w.disconnect)
		c.open(s.url + "/connections/con_1/disconnect")
		c.find("heading", w.disconnectQ)
		c.find("button", w.disconnect2)
		s.backend.connections = newBackend().connections
	}
}

// signIn fills in the form that is open.
func (c *chromium) signIn(w words) {
	c.t.Helper()
	c.tabTo("textbox", w.email)
	c.press(goodEmail)
	c.tabTo("textbox", w.password)
	c.press(goodPassword)
	c.leave("\r")
}

// contrast finds text whose colour does not stand out from what is behind it by at
// least 4.5:1 (WCAG 2.2, 1.4.3), leaving out what is disabled.
const contrast = `(() => {
  const parse = (s) => { const m = s.match(/[\d.]+/g).map(Number); return { c: m.slice(0, 3), a: m.length > 3 ? m[3] : 1 } }
  const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b }
  const behind = (e) => { for (; e; e = e.parentElement) { const b = parse(getComputedStyle(e).backgroundColor); if (b.a === 1) return b.c } return [255, 255, 255] }
  const faults = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement
    if (!walk.currentNode.data.trim() || e.closest('.skip, option, :disabled')) continue
    const pair = [light(parse(getComputedStyle(e).color).c), light(behind(e))].sort((a, b) => b - a)
    const ratio = (pair[0] + .05) / (pair[1] + .05)
    if (ratio < 4.5) faults.push(walk.currentNode.data.trim() + ' ' + ratio.toFixed(2))
  }
  return faults
})()`

// e2e/pictures looks at the other pages, whose parts are up.
func TestAPageWithoutItsPartsFitsAndStandsOut(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	s.backend.fail = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down")
	for _, d := range []device{{"en", 320, 640, false}, {"en", 1280, 900, true}, {"ar", 320, 640, true}, {"ar", 1280, 900, false}} {
		c.use(d)
		c.open(s.url + "/p/layla")
		if wider := evaluate[int](c, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); wider > 0 {
			t.Errorf("%v: %d px wider than the window", d, wider)
		}
		for _, fault := range evaluate[[]string](c, contrast) {
			t.Errorf("%v: too little contrast: %s", d, fault)
		}
	}
}

func TestAnInlinePhotoIsDrawnByTheBrowser(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	s.backend.public.User.AvatarUrl = wrapperspb.String("data:image/jpeg;base64," + pixel["jpeg"])
	for _, d := range []device{{lang: "en", width: 390, height: 844}, {lang: "en", width: 1280, height: 900}} {
		c.use(d)
		for _, path := range []string{"/p/layla", "/p/layla/cv"} {
			c.open(s.url + path)
			if width := evaluate[int](c, "document.querySelector('img.portrait').naturalWidth"); width != 1 {
				t.Errorf("%v %s: the picture is %d px wide", d, path, width)
			}
		}
	}
}
