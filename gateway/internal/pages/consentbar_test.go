//go:build !nobrowser

package pages_test

import (
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// inReach reports whether the Allow button is visible in the window. covered returns the focused
// element if the button bar covers it.
const (
	inReach = `(() => { const r = document.querySelector('[value=allow]').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight })()`
	covered = `(() => {
  const bar = document.querySelector('.decision'), e = document.activeElement
  if (bar.contains(e) || e === document.body) return ''
  const a = e.getBoundingClientRect(), b = bar.getBoundingClientRect()
  return a.bottom <= b.top + 1 || a.top >= b.bottom ? '' : e.id || e.innerText
})()`
	// hidden lists the CVs and private contact details that are not visible above the bar when the
	// page opens.
	hidden = `[...document.querySelectorAll('#scope-cv, [name=cv], #scope-contact')].map((e) => e.closest('.choice')).filter((row) => {
  const a = row.getBoundingClientRect()
  return a.top < 0 || a.bottom > document.querySelector('.decision').getBoundingClientRect().top
}).map((row) => row.innerText).join()`
	// lastCovered reports whether the bar covers the element before it when the page is scrolled to
	// the end.
	lastCovered = `(() => {
  scrollTo(0, document.documentElement.scrollHeight)
  const bar = document.querySelector('.decision')
  return bar.previousElementSibling.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1
})()`
)

func TestConsentChoicesAreVisible(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	s.Backend.Publisher, s.Backend.App.Homepage, s.Backend.App.PrivacyPolicy = "Emirates Recruiting and Staffing FZ-LLC", "https://jobs.example/", "https://jobs.example/privacy"
	for _, name := range []string{"Acme Jobs", "Careers Platform of the Emirates"} {
		s.Backend.App.Name = name
		for _, d := range []pagestest.Device{{Lang: "en", Width: 375, Height: 812}, {Lang: "ar", Width: 375, Height: 812}, {Lang: "en", Width: 1280, Height: 900}, {Lang: "ar", Width: 1280, Height: 900}} {
			c.Use(d)
			c.Open(s.ConsentURL())
			if pagestest.Evaluate[bool](c, `!!document.querySelector('#password')`) {
				signIn(c, spoken[d.Lang])
			}
			if below := pagestest.Evaluate[string](c, hidden); below != "" {
				t.Errorf("%s, %v: not above the bar: %s", name, d, below)
			}
		}
	}
}

func TestConsentBarCoversNoControl(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	for i := range 6 {
		s.Backend.CVs.Cvs = append(s.Backend.CVs.Cvs, &candidatev1.CvReference{Id: "cv_more" + string(rune('a'+i)), Title: "One more", UpdatedAt: timestamppb.New(pagestest.Now)})
	}
	for _, d := range []pagestest.Device{{Lang: "en", Width: 320, Height: 568}, {Lang: "ar", Width: 360, Height: 740}, {Lang: "en", Width: 1280, Height: 800}, {Lang: "en", Width: 640, Height: 320}} {
		c.Use(d)
		c.Open(s.URL + "/sign-in")
		if pagestest.Evaluate[bool](c, `!!document.querySelector('#password')`) {
			signIn(c, spoken[d.Lang])
		}
		c.Open(s.ConsentURL())
		if low := d.Height < 416; pagestest.Evaluate[bool](c, inReach) == low {
			t.Errorf("%v: Allow is inside the window: %t", d, !low)
		}
		for range 25 {
			c.Press("\t")
			if what := pagestest.Evaluate[string](c, covered); what != "" {
				t.Errorf("%v: the bar covers %s, which has the focus", d, what)
			}
		}
		if pagestest.Evaluate[bool](c, lastCovered) {
			t.Errorf("%v: the bar covers the end of the page", d)
		}
		if wider := pagestest.Evaluate[int](c, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); wider > 0 {
			t.Errorf("%v: the page is %d px wider than the window", d, wider)
		}
	}
}
