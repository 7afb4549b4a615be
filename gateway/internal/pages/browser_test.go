//go:build !nobrowser

package pages_test

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestLanguageSwitchKeepsTheConsent(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	c.Use(pagestest.Device{Lang: "en", Width: 320, Height: 640})
	pagestest.Call(c, network.ClearBrowserCookies, cdp.Empty{})
	c.Open(s.ConsentURL())
	c.TabTo("button", "العربية")
	c.Leave("\r")
	w := spoken["ar"]
	signIn(c, w)
	c.Find("heading", w.consent)
	c.TabTo("button", "English")
	c.Leave("\r")
	w = spoken["en"]
	c.Find("heading", w.consent)
	c.TabTo("button", w.allow)
	c.Leave("\r")
	if got := <-s.Arrived; got.Get("state") != "a b&c=\"✓\"\r\n" || got.Get("code") == "" {
		t.Errorf("the app receives %v", got)
	}
}

func TestConsentShowsChangesWhenTicked(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	c.Use(pagestest.Device{Lang: "en", Width: 360, Height: 740})
	w := spoken["en"]
	c.Open(s.ConsentURL())
	signIn(c, w)
	shown := `[...document.querySelectorAll('.change')].filter((e) => e.checkVisibility()).map((e) => e.parentElement.querySelector('label').innerText + ': ' + e.innerText)`
	if got := pagestest.Evaluate[[]string](c, shown); len(got) != 0 {
		t.Errorf("changes shown for a new app: %v", got)
	}
	s.Backend.Connections = append(s.Backend.Connections, &authv1.Connection{
		Id: "con_9", App: s.Backend.App, Scopes: []string{"profile", "email"}, GrantedScopes: []string{"profile", "email"}, CreatedAt: timestamppb.New(pagestest.Now),
	})
	c.Open(s.ConsentURL())
	if got := pagestest.Evaluate[[]string](c, shown); len(got) != 0 {
		t.Errorf("changes shown before any choice was changed: %v", got)
	}
	c.TabTo("checkbox", w.mail)
	c.Press(" ")
	c.TabTo("checkbox", w.photo)
	c.Press(" ")
	want := []string{"Email address: Change: no longer shared.", "Share my photo: New: shared from now on."}
	if got := pagestest.Evaluate[[]string](c, shown); !slices.Equal(got, want) {
		t.Errorf("the page shows %q", got)
	}
}

func TestHeaderStaysAtTheSamePlace(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	c.Use(pagestest.Device{Lang: "en", Width: 1280, Height: 900})
	c.Open(s.URL + "/account")
	signIn(c, spoken["en"])
	places := `[".brand", ".site-nav a"].map((e) => document.querySelector(e).getBoundingClientRect().x)`
	want := pagestest.Evaluate[[]float64](c, places)
	c.Open(s.URL + "/profile")
	if got := pagestest.Evaluate[[]float64](c, places); !slices.Equal(got, want) {
		t.Errorf("the logo and the navigation are at %v, on the account's page at %v", got, want)
	}
}
