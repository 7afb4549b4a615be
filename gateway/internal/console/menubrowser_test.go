//go:build !nobrowser

package console

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// longNamed is an owner of two accounts, of whom everything has a long name.
func longNamed() *authv1.GetConsoleSessionResponse {
	s := member(owner, "dev_1", "dev_2")
	s.Name, s.Email = "Layla "+strings.Repeat("very long ", 15)+"Haddad", strings.Repeat("layla.", 20)+"haddad@vitae.example"
	for _, m := range s.Memberships {
		m.AccountName = strings.Repeat("Rasheed Talent and Partners ", 5) + strings.Repeat("Unbroken", 12)
	}
	return s
}

// (behaviour: console#the-menu)
func TestTheMenuIsFoldedOnAPhoneAndPagesWithLongNamesFitAnyWidth(t *testing.T) {
	t.Parallel()
	back := newBackend()
	long := longNamed()
	back.app.Name = long.Memberships[0].AccountName
	back.invitations = []*authv1.Invitation{{
		Id: "inv_1", Email: long.GetEmail(), Role: viewer, CreatedBy: "person:usr_1",
		CreatedAt: timestamppb.New(now), ExpiresAt: timestamppb.New(now.Add(7 * 24 * time.Hour)),
	}}
	back.keys = []*authv1.ApiKey{{
		Id: "key_1", AppId: "app_1", Name: back.app.Name, Scopes: []string{"companies:read", "jobs:read"}, Hint: "abcd",
		CreatedAt: timestamppb.New(now), ExpiresAt: timestamppb.New(now.Add(24 * time.Hour)),
	}}
	c := startChromium(t, back)
	back.live["secret"] = long
	call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	const menu, summary = `document.querySelector("nav[aria-label=Console]").checkVisibility()`, `document.querySelector(".menu-fold > summary").checkVisibility()`
	for _, path := range []string{"/", "/apps", "/apps/app_1", "/apps/app_1/delete", "/apps/app_1/keys", "/limits", "/team", "/settings", "/nowhere"} {
		for _, width := range []int64{1280, 390, 320} {
			c.do(chromedp.EmulateViewport(width, 640), chromedp.Navigate(c.url+path))
			if open, phone := evaluate[bool](c, menu), width < 960; open == phone || evaluate[bool](c, summary) != phone {
				t.Errorf("%s at %d pixels: the menu is shown: %t", path, width, open)
			}
			if top := evaluate[float64](c, `document.querySelector("h1").getBoundingClientRect().top`); top > 240 {
				t.Errorf("%s at %d pixels: the heading begins at %v, far down a small screen", path, width, top)
			}
			if wide := evaluate[int64](c, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s is %d pixels wide in a window of %d", path, wide, width)
			}
		}
	}
	c.do(chromedp.Navigate(c.url+"/team"), chromedp.Focus(".menu-fold > summary"), chromedp.KeyEvent("\r"))
	c.await("the menu opens by keyboard", menu)
	if next := evaluate[string](c, `document.querySelector("details").nextElementSibling.querySelector("select, a").id`); next != "account" {
		t.Errorf("after the button of the menu comes %q", next)
	}

	for _, m := range long.Memberships {
		m.Suspended, m.SuspendedAt = true, timestamppb.New(now)
		m.SuspensionReason = "Requests of one key came from a hundred addresses.\nWrite to " + strings.Repeat("trust-and-safety.", 9) + "example"
	}
	c.fits("/apps/app_1")
}
