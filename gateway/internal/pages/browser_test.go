//go:build !nobrowser

package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/pages/guides"
	"vitae.internal/gateway/internal/pages/reference"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestNothingOfAGuideIsCutOffOrScrollsByItself(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	paths := []string{reference.Path, "/docs/reference/createJob", "/docs/reference/getApplication", guides.Errors + "PUBLIC_API_VALIDATION_ERROR", searchPath + "?q=job"}
	for _, guide := range docs.Guides {
		paths = append(paths, strings.TrimSuffix("/docs/"+guide.Name, "/"))
	}
	for _, width := range []int64{320, 360, 1280, 1920} {
		c.use(device{"en", width, 900, false})
		for _, path := range paths {
			c.open(s.url + path)
			if wide := evaluate[int64](c, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s is %d px wide in a window of %d", path, wide, width)
			}
			for _, block := range evaluate[[]string](c, cutOff) {
				t.Errorf("%s at %d px: %s", path, width, block)
			}
			if broken := evaluate[[]string](c, brokenWords); len(broken) > 0 {
				t.Errorf("%s at %d px: %q are broken over several lines", path, width, broken)
			}
		}
	}
}

func TestTheListOfPagesShowsThePresentOne(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.do(chromedp.EmulateViewport(1280, 700))
	d.open(d.url + "/docs/reference/downloadResume")
	d.await(`(nav => {
		const all = document.querySelector(".docs-nav").getBoundingClientRect(), one = nav.getBoundingClientRect();
		return one.top >= all.top && one.bottom <= Math.min(all.bottom, innerHeight);
	})(document.querySelector(".docs-nav [aria-current]"))`)
}

func TestTheSwitchWorksInTheMiddleOfAConsentWithoutJavaScript(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	c.use(device{lang: "en", width: 320, height: 640})
	call(c, network.ClearBrowserCookies, cdp.Empty{})
	c.open(s.consentURL())
	c.tabTo("button", "العربية")
	c.leave("\r")
	w := spoken["ar"]
	c.signIn(w)
	c.find("heading", w.consent)
	c.tabTo("button", "English")
	c.leave("\r")
	w = spoken["en"]
	c.find("heading", w.consent)
	c.tabTo("button", w.allow)
	c.leave("\r")
	if got := <-s.arrived; got.Get("state") != "a b&c=\"✓\"\r\n" || got.Get("code") == "" {
		t.Errorf("the app gets %v", got)
	}
}

func TestWhatWouldChangeIsShownAsItIsTicked(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	c.use(device{lang: "en", width: 360, height: 740})
	w := spoken["en"]
	c.open(s.consentURL())
	c.signIn(w)
	shown := `[...document.querySelectorAll('.change')].filter((e) => e.checkVisibility()).map((e) => e.parentElement.querySelector('label').innerText + ': ' + e.innerText)`
	if got := evaluate[[]string](c, shown); len(got) != 0 {
		t.Errorf("a new app: %v", got)
	}
	s.backend.connections = append(s.backend.connections, &authv1.Connection{
		Id: "con_9", App: s.backend.app, Scopes: []string{"profile", "email"}, GrantedScopes: []string{"profile", "email"}, CreatedAt: timestamppb.New(now),
	})
	c.open(s.consentURL())
	if got := evaluate[[]string](c, shown); len(got) != 0 {
		t.Errorf("before anything is touched: %v", got)
	}
	c.tabTo("checkbox", w.photo)
	c.press(" ")
	c.tabTo("checkbox", w.mail)
	c.press(" ")
	want := []string{"Share my photo: New: shared from now on.", "Email address: Change: no longer shared."}
	if got := evaluate[[]string](c, shown); !slices.Equal(got, want) {
		t.Errorf("it says %q", got)
	}
}
