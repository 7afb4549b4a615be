// Package browser is a person with Chromium. Elements are found by role and accessible name,
// clicked with the mouse where they are drawn, and filled with the keyboard. It must not use class
// names or ids, or change the page by script.
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

// patience is how long an element may take to appear on a loaded machine.
const patience = 3 * time.Minute

// Options describe the person's device.
type Options struct {
	// Language is sent as Accept-Language. The default is "en".
	Language string
	// Width and Height of the window in CSS pixels. The default is 1280 × 900.
	Width, Height int64
	// NoScript switches JavaScript off.
	NoScript bool
	// Dark asks pages for dark colours.
	Dark bool
	// AnyCertificate accepts unsigned certificates.
	AnyCertificate bool
	// Address is the client's, sent as X-Forwarded-For to a stack that trusts 127.0.0.1. The
	// default is none.
	Address string
}

// Browser is one tab of the Chromium that the tests share, with separate cookies and storage.
type Browser struct {
	t   testing.TB
	ctx context.Context
}

// Start opens a browser. It ends with the test.
func Start(t testing.TB, o Options) *Browser {
	t.Helper()
	if o.Language == "" {
		o.Language = "en"
	}
	if o.Width == 0 {
		o.Width, o.Height = 1280, 900
	}
	b := &Browser{t: t, ctx: chromiumtest.Open(t)}
	// What chromedp follows of each document costs as much as showing it, and is not used here.
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

// Resize changes the size of the window and the colours.
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
		// Without motion, colours are there at once.
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

// Open opens an address.
func (b *Browser) Open(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address))
}

// Goes returns future addresses of the browser with a prefix, including those of apps on the
// machine, for which the page stays.
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

// Reload reloads the page. If it is the answer to a form, the browser sends the form again.
func (b *Browser) Reload() {
	b.t.Helper()
	b.do(chromedp.Reload())
}

// Back goes back. If that page is the uncached answer to a form, the browser shows a question
// instead.
func (b *Browser) Back() {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.NavigateBack()); err != nil && !strings.Contains(err.Error(), "ERR_CACHE_MISS") {
		b.check(err)
	}
}

// Links are the addresses of links and of forms with GET.
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

// URL is the address of the page.
func (b *Browser) URL() string {
	b.t.Helper()
	return evaluate[string](b, "location.href")
}

// Text is the text that the page shows; none while a page is being replaced by another.
func (b *Browser) Text() string {
	b.t.Helper()
	return evaluate[string](b, "document.body?.innerText ?? ''")
}

// Direction is the text direction of the document: "ltr" or "rtl".
func (b *Browser) Direction() string {
	b.t.Helper()
	return evaluate[string](b, "getComputedStyle(document.documentElement).direction")
}

// Lang is the language of the document.
func (b *Browser) Lang() string {
	b.t.Helper()
	return evaluate[string](b, "document.documentElement.lang")
}

// Overflow is how many CSS pixels the page is wider than the window.
func (b *Browser) Overflow() int {
	b.t.Helper()
	return evaluate[int](b, "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)")
}

// Wide are the first elements that exceed the window, with their tags, classes and texts.
func (b *Browser) Wide() []string {
	b.t.Helper()
	return evaluate[[]string](b, `(w => [...document.querySelectorAll('body *')]
		.filter(e => (r => r.width > 0 && (r.right > w + .5 || r.left < -.5))(e.getBoundingClientRect()))
		.slice(0, 5).map(e => e.tagName.toLowerCase() + [...e.classList].map(c => '.' + c).join('') + ' ' + JSON.stringify(e.textContent.trim().slice(0, 40))))
		(document.documentElement.clientWidth)`)
}

// Widen draws text a quarter wider, as with the widest fonts of machines, or no longer.
func (b *Browser) Widen(on bool) {
	b.t.Helper()
	adjust := "none"
	if on {
		adjust = ".65" // of IBM Plex Sans it is .516
	}
	evaluate[int](b, "(document.adoptedStyleSheets = (s => { s.replaceSync('* { font-size-adjust: "+adjust+" !important }'); return [s] })(new CSSStyleSheet())).length")
}

// Height is how many CSS pixels the page is high.
func (b *Browser) Height() int64 {
	b.t.Helper()
	return evaluate[int64](b, "document.documentElement.scrollHeight")
}

// Screenshot is a picture of the whole page, as PNG.
func (b *Browser) Screenshot() []byte {
	b.t.Helper()
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	b.check(err)
	return picture
}

// Press presses keys. Package chromedp/kb names those without a character.
func (b *Browser) Press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// Until waits until a condition holds, and ends the test if it never does.
func (b *Browser) Until(what string, condition func() bool) {
	b.t.Helper()
	b.until(what, func() error {
		if !condition() {
			return errors.New("not yet")
		}
		return nil
	})
}

// Gone waits until the page has no element of a role and name.
func (b *Browser) Gone(role, name string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%s %q is gone", role, name), func() error {
		all, err := b.query(role, name, 0)
		if err == nil && len(all) > 0 {
			err = errors.New("it is there")
		}
		return err
	})
}

// until is Until with a condition that says what is missing.
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

// evaluate evaluates an expression on the page. If another page replaces it, it tries again there.
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

// isReplaced reports whether a page was replaced by another, by the messages of Chromium (DevTools
// protocol, Runtime.evaluate).
func isReplaced(err error) bool {
	var fault *cdproto.Error
	return errors.As(err, &fault) &&
		(fault.Message == "Inspected target navigated or closed" || fault.Message == "Execution context was destroyed.")
}
