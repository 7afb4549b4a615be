//go:build !nobrowser

package console

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit/chromiumtest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// patience ends a test whose browser hangs. No test measures time by it.
const patience = 4 * time.Minute

// chromium is a member at a real browser.
type chromium struct {
	t   *testing.T
	ctx context.Context
	url string
}

// startChromium signs a viewer in to a console on a real listener.
func startChromium(t *testing.T, back *backend) *chromium {
	t.Helper()
	return startChromiumAt(t, back, partsOf(back))
}

func startChromiumAt(t *testing.T, back *backend, p parts) *chromium {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handlerAt(t, p, address), ReadHeaderTimeout: patience}}
	server.Start()
	t.Cleanup(server.Close)
	back.live["secret"] = member(viewer, "dev_1")

	c := &chromium{t: t, ctx: chromiumtest.Open(t), url: address}
	call(c, network.SetCookie, network.SetCookieParams{Name: "vitae_console_session", Value: "secret", URL: address})
	return c
}

func (c *chromium) check(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *chromium) do(steps ...chromedp.Action[chromedp.Void]) {
	c.t.Helper()
	c.check(chromedp.Do(c.ctx, steps...))
}

func call[P, R any](c *chromium, command cdp.Command[P, R], params P) R {
	c.t.Helper()
	result, err := chromedp.Call(c.ctx, command, params)
	c.check(err)
	return result
}

func evaluate[T any](c *chromium, expression string) T {
	c.t.Helper()
	v, err := chromedp.Run(c.ctx, chromedp.Evaluate[T](expression))
	c.check(err)
	return v
}

// await waits until an expression is true.
func (c *chromium) await(what, expression string) {
	c.t.Helper()
	for until := time.Now().Add(time.Minute); !evaluate[bool](c, expression); {
		if time.Now().After(until) {
			c.t.Fatalf("%s: never\n%s", what, evaluate[string](c, "document.body.innerText"))
		}
	}
}

// fits fails if a page is wider than the window of a desktop or of a phone.
func (c *chromium) fits(path string) {
	c.t.Helper()
	for _, width := range []int64{1280, 390, 320} {
		c.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(c.url+path))
		if wide := evaluate[int64](c, "document.documentElement.scrollWidth"); wide > width {
			c.t.Errorf("%s is %d pixels wide in a window of %d", path, wide, width)
		}
	}
}

// log puts a request of some time ago into the log, which a page sees when it asks again.
func (b *backend) log(e *authv1.RequestEntry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.logged = append([]*authv1.RequestEntry{e}, b.logged...)
}

func TestFollowShowsNewRequestsInTheirOrderUntilTheSessionEnds(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(3)
	c := startChromium(t, back)
	c.do(chromedp.Navigate(c.url + "/requests"))
	ids := `[...document.querySelectorAll("tbody tr")].map((row) => row.dataset.id).join()`
	if got := evaluate[string](c, ids); got != "req_0,req_1,req_2" {
		t.Fatal(got)
	}
	evaluate[bool](c, `document.getElementById("follow").click() || true`)
	c.await("it is said that the page follows", `document.getElementById("follow-state").textContent.startsWith("Following") && document.getElementById("follow").ariaPressed === "true"`)
	evaluate[bool](c, `(() => { const now = Date.now; Date.now = () => now() + 11000; return true })()`) // not to wait for the next announcement
	late := entryOf(7, 500*time.Millisecond)
	late.RequestId = "req_late"
	back.log(late)
	fresh := entryOf(8, 0)
	fresh.RequestId, fresh.At = "req_fresh", timestamppb.New(now.Add(time.Second))
	back.log(fresh)
	c.await("new requests come, each to its place", ids+` === "req_fresh,req_0,req_late,req_1,req_2"`)
	c.await("how many is said, once in a while", `document.getElementById("follow-state").textContent === "2 new requests."`)
	back.mu.Lock()
	delete(back.live, "secret")
	back.mu.Unlock()
	c.await("the end of the session is said", `document.getElementById("follow-state").textContent.includes("session has ended") && document.getElementById("follow").ariaPressed === "false"`)
}

func TestFollowBeginsWithAnEmptyLogToo(t *testing.T) {
	t.Parallel()
	back := newBackend()
	c := startChromium(t, back)
	c.do(chromedp.Navigate(c.url + "/requests"))
	if text := evaluate[string](c, "document.body.innerText"); !strings.Contains(text, "There was no request") {
		t.Fatal(text)
	}
	evaluate[bool](c, `document.getElementById("follow").click() || true`)
	back.log(entryOf(0, 0))
	c.await("the request is shown", `!document.getElementById("none") && document.querySelector("#list tbody tr").checkVisibility()`)
}

// byHand puts the timers of a page into the hands of the test: delays are those of the
// timers that wait, and fire ends the last.
const byHand = `window.timers = []; window.setTimeout = (f, delay) => timers.push({f, delay}); window.clearTimeout = (id) => { delete timers[id - 1] };
	window.delays = () => timers.filter(Boolean).map((one) => one.delay).join();
	window.fire = () => { const last = timers.length - 1, {f} = timers[last]; delete timers[last]; f(); return true };
	window.hide = (yes) => { Object.defineProperty(document, "hidden", {configurable: true, get: () => yes}); document.dispatchEvent(new Event("visibilitychange")); return true };
	document.getElementById("follow").click(); true`

func TestFollowAsksNothingWhileItIsHiddenAndLessOftenWhileItGetsNoAnswer(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(1)
	c := startChromium(t, back)
	c.do(chromedp.Navigate(c.url + "/requests"))
	evaluate[bool](c, byHand)
	c.await("it asks again after two seconds", `delays() === "2000"`)
	evaluate[bool](c, `hide(true)`)
	if waiting := evaluate[string](c, `delays()`); waiting != "" {
		t.Errorf("a hidden page asks again after %s ms", waiting)
	}
	back.log(entryOf(1, 0))
	evaluate[bool](c, `hide(false)`)
	c.await("a page that is shown again asks at once", `document.querySelectorAll("tbody tr").length === 2 && delays() === "2000"`)
	back.setFail(errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down"))
	for _, delay := range []string{"4000", "8000", "16000", "30000", "30000"} {
		evaluate[bool](c, `fire()`)
		c.await("it waits longer", `delays() === "`+delay+`"`)
	}
	back.setFail(nil)
	evaluate[bool](c, `fire()`)
	c.await("it asks as before", `delays() === "2000"`)
	evaluate[bool](c, `document.getElementById("follow").click() || true`)
	if waiting := evaluate[string](c, `delays() + document.getElementById("follow").ariaPressed`); waiting != "false" {
		t.Errorf("it does not stop when it is told to: %s", waiting)
	}
}

func TestFollowEndsWhenNothingWasDoneForHalfAnHour(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(1)
	c := startChromium(t, back)
	c.do(chromedp.Navigate(c.url + "/requests"))
	evaluate[bool](c, byHand)
	c.await("it follows", `delays() === "2000"`)
	evaluate[bool](c, `(() => { const now = Date.now; Date.now = () => now() + 31 * 60 * 1000; return fire() })()`)
	c.await("it is said", `delays() === "" && document.getElementById("follow-state").textContent.includes("half an hour")`)
}

func (b *backend) setFail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = err
}

func TestTheRequestLogWorksWithoutScriptsAtAnyWidth(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(12)
	back.app.Name = "Rasheed " + strings.Repeat("very long ", 18) + "\u202e"
	for i, e := range back.logged {
		if i%3 == 0 {
			e.Status, e.ErrorCode, e.Route, e.ResourceId = 200, "", "/v1/me", ""
		}
		if i%7 == 0 {
			e.Status, e.ErrorCode, e.RefusedBy = 503, "SERVICE_UNAVAILABLE", ""
		}
	}
	back.logged[2].UserAgent = strings.Repeat("agent\u202e<b>", 20)
	c := startChromium(t, back)
	call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	c.do(chromedp.Navigate(c.url + "/requests"))
	if evaluate[bool](c, `document.getElementById("follow").checkVisibility()`) || !evaluate[bool](c, `document.getElementById("refresh").checkVisibility()`) {
		t.Error("a button that needs a script is shown without one, or nothing is in its place")
	}
	c.fits("/requests")
	c.fits("/requests?status=teapot&from=yesterday")
	c.fits("/requests/req_2")
}
