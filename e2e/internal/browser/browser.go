// Package browser drives Chromium as a person would. Elements are found by role and accessible name,
// clicked with the mouse at their position, and filled with the keyboard. The package must not use
// class names or ids, or change pages with scripts.
package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/pkg/testkit/chromiumtest"
)

// patience limits how long to wait for an element. It allows for a loaded machine.
const patience = 3 * time.Minute

// Options describe the person's device.
type Options struct {
	// Language is sent as Accept-Language. The default is "en".
	Language string
	// Width and Height are the size of the window in CSS pixels. The default is 1280 × 900.
	Width, Height int64
	// NoScript disables JavaScript.
	NoScript bool
	// Dark sets the preferred color scheme to dark.
	Dark bool
	// AnyCertificate accepts untrusted certificates.
	AnyCertificate bool
	// Address is the client's IP address, sent as X-Forwarded-For to a stack that trusts 127.0.0.1. The
	// header is omitted by default.
	Address string
}

// Browser is one tab of the Chromium instance that the tests share, with its own cookies and storage.
type Browser struct {
	t   testing.TB
	ctx context.Context
}

// Start opens a browser, which is closed at the end of the test.
func Start(t testing.TB, o Options) *Browser {
	t.Helper()
	if o.Language == "" {
		o.Language = "en"
	}
	if o.Width == 0 {
		o.Width, o.Height = 1280, 900
	}
	b := &Browser{t: t, ctx: chromiumtest.Open(t)}
	// These domains, which chromedp enables, make each page load take about twice as long and are not
	// used here.
	for _, off := range []cdp.Command[cdp.Empty, cdp.Empty]{dom.Disable, css.Disable, cdplog.Disable} {
		call(b, off, cdp.Empty{})
	}
	b.Resize(o.Width, o.Height, o.Dark)
	headers := network.Headers{"Accept-Language": o.Language}
	if o.Address != "" {
		headers["X-Forwarded-For"] = o.Address
	}
	call(b, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers})
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: o.NoScript})
	if o.AnyCertificate {
		call(b, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
	}
	return b
}

// Resize sets the window size and the preferred color scheme.
func (b *Browser) Resize(width, height int64, dark bool) {
	b.t.Helper()
	var mobile []chromedp.EmulateViewportOption
	if width < 600 {
		mobile = append(mobile, chromedp.EmulateMobile)
	}
	b.do(chromedp.EmulateViewport(width, height, mobile...))
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		// Without transitions, elements get their final colors immediately.
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

// Open navigates to a URL.
func (b *Browser) Open(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address))
}

// Goes returns a channel that receives the URLs with the given prefix that the browser requests from
// now on. They include URLs of native apps, for which the browser stays on the page.
func (b *Browser) Goes(prefix string) <-chan string {
	b.t.Helper()
	gone := make(chan string, 10)
	b.check(chromedp.Listen(b.ctx, func(event any) {
		if sent, ok := event.(*network.EventRequestWillBeSent); ok && strings.HasPrefix(sent.Request.URL, prefix) {
			gone <- sent.Request.URL
		}
	}))
	call(b, network.Enable, network.EnableParams{})
	return gone
}

// Reload reloads the page. If the page is the response to a form, the browser submits the form again.
func (b *Browser) Reload() {
	b.t.Helper()
	b.do(chromedp.Reload())
}

// Back goes back in the history. If the previous page is an uncached response to a form, Chromium shows
// an error page instead.
func (b *Browser) Back() {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.NavigateBack()); err != nil && !strings.Contains(err.Error(), "ERR_CACHE_MISS") {
		b.check(err)
	}
}

// Links returns the URLs of the page's links and GET forms.
func (b *Browser) Links() []string {
	b.t.Helper()
	return evaluate[[]string](b, `[...document.querySelectorAll('a[href]')].map(a => a.href)
		.concat([...document.querySelectorAll('form[method=get]')].map(f => new URL(f.getAttribute('action'), location).href))`)
}

// Injected reports whether the page has an inline script or handler. No page of Vitae has one.
func (b *Browser) Injected() bool {
	b.t.Helper()
	return evaluate[bool](b, `[...document.querySelectorAll('*')].some(e =>
		e.matches('script:not([src])') || [...e.attributes].some(a => a.name.startsWith('on')))`)
}

// URL returns the URL of the page.
func (b *Browser) URL() string {
	b.t.Helper()
	return evaluate[string](b, "location.href")
}

// Text returns the visible text of the page, or "" while a new page is loading.
func (b *Browser) Text() string {
	b.t.Helper()
	return evaluate[string](b, "document.body?.innerText ?? ''")
}

// Direction returns the text direction of the document: "ltr" or "rtl".
func (b *Browser) Direction() string {
	b.t.Helper()
	return evaluate[string](b, "getComputedStyle(document.documentElement).direction")
}

// Lang returns the language of the document.
func (b *Browser) Lang() string {
	b.t.Helper()
	return evaluate[string](b, "document.documentElement.lang")
}

// Overflow returns how much wider the page is than the window, in CSS pixels.
func (b *Browser) Overflow() int {
	b.t.Helper()
	return evaluate[int](b, "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)")
}

// Wide returns up to five elements that extend beyond the window, each with its tag, classes and text.
func (b *Browser) Wide() []string {
	b.t.Helper()
	return evaluate[[]string](b, `(w => [...document.querySelectorAll('body *')]
		.filter(e => (r => r.width > 0 && (r.right > w + .5 || r.left < -.5))(e.getBoundingClientRect()))
		.slice(0, 5).map(e => e.tagName.toLowerCase() + [...e.classList].map(c => '.' + c).join('') + ' ' + JSON.stringify(e.textContent.trim().slice(0, 40))))
		(document.documentElement.clientWidth)`)
}

// Widen enlarges text by a quarter, to simulate the widest fallback fonts, or restores the normal size.
func (b *Browser) Widen(on bool) {
	b.t.Helper()
	adjust := "none"
	if on {
		adjust = ".65" // .516 for IBM Plex Sans
	}
	evaluate[int](b, "(document.adoptedStyleSheets = (s => { s.replaceSync('* { font-size-adjust: "+adjust+" !important }'); return [s] })(new CSSStyleSheet())).length")
}

// Height returns the height of the page in CSS pixels.
func (b *Browser) Height() int64 {
	b.t.Helper()
	return evaluate[int64](b, "document.documentElement.scrollHeight")
}

// Screenshot returns a PNG image of the whole page.
func (b *Browser) Screenshot() []byte {
	b.t.Helper()
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	b.check(err)
	return picture
}

// Press sends key presses. For keys without a character, use the constants of chromedp/kb.
func (b *Browser) Press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// Until waits until condition returns true, and fails the test if that takes longer than patience.
func (b *Browser) Until(what string, condition func() bool) {
	b.t.Helper()
	b.until(what, func() error {
		if !condition() {
			return errors.New("not yet")
		}
		return nil
	})
}

// Gone waits until the page has no element with the role and name.
func (b *Browser) Gone(role, name string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%s %q is gone", role, name), func() error {
		all, err := b.query(role, name, 0)
		if err == nil && len(all) > 0 {
			err = errors.New("the element still exists")
		}
		return err
	})
}

// until is like Until, but condition returns an error that describes what is missing.
func (b *Browser) until(what string, condition func() error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	err := stack.Until(ctx, what, func(context.Context) error { return condition() })
	if err != nil {
		b.t.Fatalf("%v\nat %s\n%s", err, b.URL(), b.Text())
	}
}

func (b *Browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.check(chromedp.Do(b.ctx, steps...))
}

func (b *Browser) check(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("browser: %v", err)
	}
}

// evaluate evaluates an expression on the page. It retries if a navigation interrupts the evaluation.
func evaluate[T any](b *Browser, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	for isReplaced(err) && ctx.Err() == nil {
		v, err = chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	}
	b.check(err)
	return v
}

// isReplaced reports whether err is the error that Chromium returns if a navigation interrupts
// Runtime.evaluate.
func isReplaced(err error) bool {
	var fault *cdproto.Error
	return errors.As(err, &fault) &&
		(fault.Message == "Inspected target navigated or closed" || fault.Message == "Execution context was destroyed.")
}
