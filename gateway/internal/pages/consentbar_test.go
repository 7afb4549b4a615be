//go:build !nobrowser

package pages

import (
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// inReach says where the buttons of the consent page are: whether Allow is in the window, and
// whether the bar covers what has the focus.
const (
	inReach = `(() => { const r = document.querySelector('[value=allow]').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight })()`
	covered = `(() => {
  const bar = document.querySelector('.decision'), e = document.activeElement
  if (bar.contains(e) || e === document.body) return ''
  const a = e.getBoundingClientRect(), b = bar.getBoundingClientRect()
  return a.bottom <= b.top + 1 || a.top >= b.bottom ? '' : e.id || e.innerText
})()`
	// begun is whether the first permission stands above the bar when the page is opened.
	begun = `document.querySelector('.choice label').getBoundingClientRect().bottom <= document.querySelector('.decision').getBoundingClientRect().top`
	// lastCovered is whether the bar stands on what comes before it at the end of the page.
	lastCovered = `(() => {
  scrollTo(0, document.documentElement.scrollHeight)
  const bar = document.querySelector('.decision')
  return bar.previousElementSibling.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1
})()`
)

func TestTheButtonsOfAConsentAreInReachAndCoverNothing(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	for i := range 6 {
		s.backend.cvs.Cvs = append(s.backend.cvs.Cvs, &candidatev1.CvReference{Id: "cv_more" + string(rune('a'+i)), Title: "One more", UpdatedAt: timestamppb.New(now)})
	}
	for _, d := range []device{{"en", 320, 568, false}, {"ar", 360, 740, false}, {"en", 1280, 800, false}, {"en", 640, 320, false}} {
		c.use(d)
		c.open(s.url + "/sign-in")
		if evaluate[bool](c, `!!document.querySelector('#password')`) {
			c.signIn(spoken[d.lang])
		}
		c.open(s.consentURL())
		if low := d.height < 416; evaluate[bool](c, inReach) == low {
			t.Errorf("%v: Allow is in reach: %t", d, !low)
		}
		if d.width == 360 && !evaluate[bool](c, begun) {
			t.Errorf("%v: nothing to decide about is in sight", d)
		}
		for range 25 {
			c.press("\t")
			if what := evaluate[string](c, covered); what != "" {
				t.Errorf("%v: the bar covers %s, which has the focus", d, what)
			}
		}
		if evaluate[bool](c, lastCovered) {
			t.Errorf("%v: the bar covers the end of the page", d)
		}
		if wider := evaluate[int](c, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); wider > 0 {
			t.Errorf("%v: %d px wider than the window", d, wider)
		}
	}
}

// whole is whether everything that one decides about stands above the bar when the page is opened.
const whole = `(() => {
  const bar = document.querySelector('.decision').getBoundingClientRect().top
  return [...document.querySelectorAll('.choice > :is(input, label, .hint)')].filter((e) => e.checkVisibility()).filter((e) => e.getBoundingClientRect().bottom > bar).map((e) => e.innerText)
})()`

func TestAConsentFitsALaptop(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	s.backend.publisher, s.backend.app.Homepage, s.backend.app.PrivacyPolicy = "Acme Recruiting LLC", "https://acme.example", "https://acme.example/privacy"
	for _, lang := range []string{"en", "ar"} {
		c.use(device{lang, 1280, 900, false})
		c.open(s.url + "/sign-in")
		if evaluate[bool](c, `!!document.querySelector('#password')`) {
			c.signIn(spoken[lang])
		}
		c.open(s.consentURL())
		if below := evaluate[[]string](c, whole); len(below) > 0 {
			t.Errorf("%s: below the bar: %q", lang, below)
		}
	}
}
