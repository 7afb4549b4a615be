package console_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/person"
)

// at signs in with Chromium and opens a page of the console.
func (d developing) at(path string, o browser.Options) *browser.Browser {
	d.t.Helper()
	b := browser.Start(d.t, o)
	b.Open(d.url + path)
	b.Find("textbox", "Email").Fill(d.Email)
	b.Find("textbox", "Password").Fill(d.Password)
	b.Find("button", "Sign in").Click()
	b.FindWith("button", person.ContinuePrefix).Click()
	b.Until("the page of the console", func() bool { return strings.HasPrefix(b.URL(), d.url+path) })
	return b
}

func TestPlotWorksByKeyboardWithoutScript(t *testing.T) {
	t.Parallel()
	d := develop(t)
	d.send("/v1/companies", 3, http.StatusOK)
	today := time.Now().UTC()
	d.awaitRow("/usage", "Requests per day", today.Format("2 Jan 2006")+" Layla Hiring 3 3 0 0")
	for _, width := range []int64{1280, 390} {
		b := d.at("/usage", browser.Options{NoScript: true, Width: width, Height: 900})
		b.Find("image", "Requests per day")
		b.Find("image", "The last hour")
		if n := b.Overflow(); n != 0 {
			t.Errorf("%d pixels: the page is %d pixels wider than the window", width, n)
		}
		if strings.Contains(b.Text(), "today, so far") {
			t.Errorf("%d pixels: values are shown before a column has the focus", width)
		}
		b.FindWith("radio", "(today, so far): 3.").Focus()
		if !strings.Contains(b.Text(), "(today, so far)\n") {
			t.Errorf("%d pixels: the column of today does not show its values: %s", width, b.Text())
		}
		b.Press(kb.Tab)
		if link := b.Focused(); link.Name() != "Show these requests" {
			t.Errorf("%d pixels: Tab moves the focus to %q", width, link.Name())
		}
		b.FindWith("radio", "(today, so far): 3.").Focus()
		b.Press(kb.ArrowLeft)
		if yesterday := today.AddDate(0, 0, -1).Format("Monday, 2 January"); b.Focused().Name() != yesterday+": 0." || !strings.Contains(b.Text(), yesterday) {
			t.Errorf("%d pixels: the arrow key moves the focus to %q", width, b.Focused().Name())
		}
	}
}
