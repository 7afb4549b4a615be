//go:build !nobrowser

package console

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// shown reports whether the first control of the filter can be used.
const shown = `document.querySelector(".folds select").checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}) && document.querySelector(".folds select").getBoundingClientRect().height > 0`

func TestAFilterIsFoldedOnAPhoneAndOpenWhereThereIsRoomOrAFilter(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(3)
	back.events, back.eventNames = happened()
	c := startChromium(t, back)
	call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	for _, tc := range []struct {
		path  string
		width int64
		open  bool
	}{
		{"/requests", 1280, true}, {"/requests", 390, false}, {"/requests?status=404", 390, true}, {"/requests?from=yesterday", 390, true},
		{"/audit", 1280, true}, {"/audit", 390, false}, {"/audit?outcome=refused", 390, true}, {"/audit?from=yesterday", 390, true},
	} {
		c.do(chromedp.EmulateViewport(tc.width, 900), chromedp.Navigate(c.url+tc.path))
		if got := evaluate[bool](c, shown); got != tc.open {
			t.Errorf("%s at %d pixels: the filter is open: %t", tc.path, tc.width, got)
		}
		if summary := evaluate[bool](c, `document.querySelector(".folds > summary").checkVisibility()`); summary != (tc.width == 390) {
			t.Errorf("%s at %d pixels: its heading is shown: %t", tc.path, tc.width, summary)
		}
	}
	c.do(chromedp.Navigate(c.url+"/audit"), chromedp.Focus(".folds > summary"), chromedp.KeyEvent("\r"))
	c.await("the filter opens by keyboard", shown)
}

func TestTheAuditLogFitsAnyWidth(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.events, back.eventNames = happened()
	back.eventNames[1].Name = "Averyveryveryverylongnamewithoutasinglespaceinit" + "\u202e<b>"
	for i, e := range back.events {
		e.RequestId = fmt.Sprintf("req_01jd%022d", i)
	}
	c := startChromium(t, back)
	c.fits("/audit")
	c.fits("/audit?outcome=refused")
	c.fits("/audit?from=yesterday")
}

func TestNothingOfUsageStandsOutOrScrollsInAScroller(t *testing.T) {
	t.Parallel()
	u := newUsed()
	for day := range 30 {
		u.rows = append(u.rows, &authv1.Usage{Day: now.AddDate(0, 0, -day).Format("2006-01-02"), AppId: "app_1", ApiKeyId: liveKey, Requests: int64(100 + day), Metered: 90})
	}
	c := startChromiumAt(t, u.backend, parts{console: u, oauth: u, credentials: u, accounts: u, developers: u, members: u, audit: u, usages: u, me: u})
	for _, width := range []int64{1280, 390, 320} {
		c.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(c.url+"/usage"))
		if wide := evaluate[int64](c, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("the page is %d pixels wide in a window of %d", wide, width)
		}
		if over := evaluate[string](c, `[...document.querySelectorAll(".plot-image")].flatMap((plot) => [...plot.querySelectorAll(".mark")]
			.filter((mark) => getComputedStyle(mark).display !== "none" && mark.getBoundingClientRect().right > plot.getBoundingClientRect().right + 1)
			.map((mark) => mark.textContent)).join()`); over != "" {
			t.Errorf("%d pixels: %s stands out of its plot", width, over)
		}
		if boxes := evaluate[int](c, `[...document.querySelectorAll(".scroll")].filter((box) => box.scrollHeight > box.clientHeight + 20).length`); boxes != 0 {
			t.Errorf("%d pixels: %d tables of a month scroll in the page that scrolls", width, boxes)
		}
	}
}
