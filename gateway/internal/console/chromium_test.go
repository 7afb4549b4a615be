//go:build !nobrowser

package console_test

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
	"github.com/chromedp/chromedp/kb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit/chromiumtest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// patience limits how long a test waits for a browser that has hung. No test relies on it to
// measure time.
const patience = 4 * time.Minute

// chromium is a real browser with a session.
type chromium struct {
	t   *testing.T
	ctx context.Context
	url string
}

// startChromium serves a console on a real listener and opens a browser that is signed in.
func startChromium(t *testing.T, back *backend, session *authv1.GetConsoleSessionResponse) *chromium {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: siteAt(t, back, address), ReadHeaderTimeout: patience}}
	server.Start()
	t.Cleanup(server.Close)
	back.live["secret"] = session
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

// await waits until a JavaScript expression is true.
func (c *chromium) await(what, expression string) {
	c.t.Helper()
	for until := time.Now().Add(time.Minute); !evaluate[bool](c, expression); {
		if time.Now().After(until) {
			c.t.Fatalf("timed out waiting until %s\n%s", what, evaluate[string](c, "document.body.innerText"))
		}
	}
}

// change calls f, which modifies the backend, while no call is running.
func (b *backend) change(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

func (b *backend) log(e *authv1.RequestEntry) {
	b.change(func() { b.logged = append([]*authv1.RequestEntry{e}, b.logged...) })
}

func TestFollowShowsNewRequests(t *testing.T) {
	t.Parallel()
	back := withLog(3)
	c := startChromium(t, back, member(viewer, "dev_1"))
	c.do(chromedp.Navigate(c.url + "/requests"))
	ids := `[...document.querySelectorAll("tbody tr")].map((row) => row.dataset.id).join()`
	if got := evaluate[string](c, ids); got != "req_0,req_1,req_2" {
		t.Fatal(got)
	}
	evaluate[bool](c, `document.getElementById("follow").click() || true`)
	c.await("the page says that it follows", `document.getElementById("follow-state").textContent.startsWith("Following") && document.getElementById("follow").ariaPressed === "true"`)
	evaluate[bool](c, `(() => { const now = Date.now; Date.now = () => now() + 11000; return true })()`) // skip the wait before the next announcement
	late := entryOf(7, 500*time.Millisecond)
	late.RequestId = "req_late"
	back.log(late)
	fresh := entryOf(8, 0)
	fresh.RequestId, fresh.At = "req_fresh", timestamppb.New(now.Add(time.Second))
	back.log(fresh)
	c.await("new requests are shown in order", ids+` === "req_fresh,req_0,req_late,req_1,req_2"`)
	c.await("the number of new requests is announced", `document.getElementById("follow-state").textContent === "2 new requests."`)
	back.change(func() { clear(back.live) })
	c.await("the end of the session is announced", `document.getElementById("follow-state").textContent.includes("session has ended") && document.getElementById("follow").ariaPressed === "false"`)
}

func TestFollowStartsWithAnEmptyLog(t *testing.T) {
	t.Parallel()
	back := newBackend()
	c := startChromium(t, back, member(viewer, "dev_1"))
	c.do(chromedp.Navigate(c.url + "/requests"))
	if text := evaluate[string](c, "document.body.innerText"); !strings.Contains(text, "There was no request") {
		t.Fatal(text)
	}
	evaluate[bool](c, `document.getElementById("follow").click() || true`)
	back.log(entryOf(0, 0))
	c.await("the request is shown", `!document.getElementById("none") && document.querySelector("#list tbody tr").checkVisibility()`)
}

// fakeTimers replaces the page's timers and turns on following. delays() returns the delays of the
// pending timers, fire() runs the most recent timer, and hide() changes the page's visibility.
const fakeTimers = `window.timers = []; window.setTimeout = (f, delay) => timers.push({f, delay}); window.clearTimeout = (id) => { delete timers[id - 1] };
	window.delays = () => timers.filter(Boolean).map((one) => one.delay).join();
	window.fire = () => { const last = timers.length - 1, {f} = timers[last]; delete timers[last]; f(); return true };
	window.hide = (yes) => { Object.defineProperty(document, "hidden", {configurable: true, get: () => yes}); document.dispatchEvent(new Event("visibilitychange")); return true };
	document.getElementById("follow").click(); true`

func TestFollowPausesAndSlowsDown(t *testing.T) {
	t.Parallel()
	back := withLog(1)
	c := startChromium(t, back, member(viewer, "dev_1"))
	c.do(chromedp.Navigate(c.url + "/requests"))
	evaluate[bool](c, fakeTimers)
	c.await("the page polls again after two seconds", `delays() === "2000"`)
	evaluate[bool](c, `hide(true)`)
	if waiting := evaluate[string](c, `delays()`); waiting != "" {
		t.Errorf("a hidden page polls again after %s ms", waiting)
	}
	back.log(entryOf(1, 0))
	evaluate[bool](c, `hide(false)`)
	c.await("the page polls when it becomes visible again", `document.querySelectorAll("tbody tr").length === 2 && delays() === "2000"`)
	back.change(func() { back.fail["ListRequests"] = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down") })
	for _, delay := range []string{"4000", "8000", "16000", "30000", "30000"} {
		evaluate[bool](c, `fire()`)
		c.await("the page waits longer", `delays() === "`+delay+`"`)
	}
	back.change(func() { clear(back.fail) })
	evaluate[bool](c, `fire()`)
	c.await("the page polls at the usual rate", `delays() === "2000"`)
	evaluate[bool](c, `document.getElementById("follow").click() || true`)
	if waiting := evaluate[string](c, `delays() + document.getElementById("follow").ariaPressed`); waiting != "false" {
		t.Errorf("following does not stop: %s", waiting)
	}
}

func TestFollowEndsAfterHalfAnHour(t *testing.T) {
	t.Parallel()
	c := startChromium(t, withLog(1), member(viewer, "dev_1"))
	c.do(chromedp.Navigate(c.url + "/requests"))
	evaluate[bool](c, fakeTimers)
	c.await("the page follows the log", `delays() === "2000"`)
	evaluate[bool](c, `(() => { const now = Date.now; Date.now = () => now() + 31 * 60 * 1000; return fire() })()`)
	c.await("the end of following is announced", `delays() === "" && document.getElementById("follow-state").textContent.includes("half an hour")`)
}

// (behaviour: console#the-menu)
func TestAccountSelectHandlesMouseAndKeyboard(t *testing.T) {
	t.Parallel()
	c := startChromium(t, newBackend(), member(owner, "dev_1", "dev_2"))
	const chosen = `document.querySelector("#account")?.selectedOptions[0].textContent`
	c.do(chromedp.Navigate(c.url + "/settings"))
	c.await("the script hides the button", `document.querySelector(".account button").hidden`)
	// A headless browser does not open drop-down lists, so the test dispatches the events that a
	// click would cause.
	evaluate[bool](c, `(() => {
		const s = document.querySelector("#account");
		s.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}));
		s.value = "dev_2";
		return s.dispatchEvent(new Event("change", {bubbles: true}));
	})()`)
	c.await("the account is shown", `location.pathname === "/" && document.readyState === "complete" && `+chosen+` === "Account dev_2"`)

	c.do(chromedp.Navigate(c.url + "/settings"))
	c.await("the script hides the button", `document.querySelector(".account button").hidden`)
	c.do(chromedp.Focus("#account"), chromedp.KeyEvent(kb.ArrowUp))
	c.await("the button is shown", `!document.querySelector(".account button").hidden`)
	if at := evaluate[string](c, "location.pathname"); at != "/settings" {
		t.Errorf("an arrow key leads to %s", at)
	}
}

// (behaviour: console#filters-on-a-phone)
func TestFiltersAreFoldedOnAPhone(t *testing.T) {
	t.Parallel()
	c := startChromium(t, withLog(3), member(viewer, "dev_1"))
	call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	const shown = `document.querySelector(".folds select").checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}) && document.querySelector(".folds select").getBoundingClientRect().height > 0`
	for _, tc := range []struct {
		path  string
		width int64
		open  bool
	}{
		{"/requests", 1280, true}, {"/requests", 390, false}, {"/requests?status=404", 390, true},
		{"/audit", 1280, true}, {"/audit", 390, false}, {"/audit?outcome=refused", 390, true}, {"/audit?from=yesterday", 390, true},
	} {
		c.do(chromedp.EmulateViewport(tc.width, 900), chromedp.Navigate(c.url+tc.path))
		if got := evaluate[bool](c, shown); got != tc.open {
			t.Errorf("%s at %d pixels: the filter is open: %t, want %t", tc.path, tc.width, got, tc.open)
		}
		if summary := evaluate[bool](c, `document.querySelector(".folds > summary").checkVisibility()`); summary != (tc.width == 390) {
			t.Errorf("%s at %d pixels: the filter's heading is shown: %t", tc.path, tc.width, summary)
		}
	}
	c.do(chromedp.Navigate(c.url+"/audit"), chromedp.Focus(".folds > summary"), chromedp.KeyEvent("\r"))
	c.await("the filter opens by keyboard", shown)
}

// endOfID is a JavaScript expression that reports whether the end of a request ID is visible in its
// cell. Only the ends of request IDs differ.
const endOfID = `(() => {
	const cell = document.querySelector(".log tbody th"), text = document.createRange();
	text.selectNodeContents(cell);
	return text.getBoundingClientRect().right <= cell.getBoundingClientRect().right + 1;
})()`

// (behaviour: console#forms-of-the-console)
func TestTablesFitWithoutScrolling(t *testing.T) {
	t.Parallel()
	back := withLog(3)
	back.keys = []*authv1.ApiKey{{
		Id: "key_1", Name: "Applicant tracking", Hint: "n4bH", Scopes: []string{"companies:read", "companies:write", "jobs:read", "jobs:write", "candidates:read"},
		CreatedBy: "usr_1", CreatedAt: timestamppb.New(now), LastUsedAt: timestamppb.New(now), ExpiresAt: timestamppb.New(now.AddDate(0, 0, 1)),
	}}
	back.invitations = []*authv1.Invitation{{Id: "inv_1", Email: "somebody@vitae.example", Role: viewer, CreatedBy: "usr_1", ExpiresAt: timestamppb.New(now)}}
	back.app.Name = "Rasheed Talent FZ-LLC"
	for i, code := range []string{"API_KEY_INSUFFICIENT_SCOPE", "OAUTH_UNSUPPORTED_GRANT_TYPE", "JOB_NOT_FOUND"} {
		e := back.logged[i]
		e.ErrorCode, e.RequestId, e.Route = code, "req_01jd"+strings.Repeat("0", 22), "/v1/companies/{companyId}/jobs"
	}
	c := startChromium(t, back, member(owner, "dev_1"))
	for _, path := range []string{"/", "/apps/app_1", "/apps/app_1/keys", "/team", "/requests"} {
		for _, width := range []int64{1280, 390, 320} {
			c.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(c.url+path))
			if found := evaluate[string](c, `[...document.querySelectorAll(".scroll")].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute("aria-label")).join()`); found != "" {
				t.Errorf("%s at %d pixels: %s needs scrolling", path, width, found)
			}
			if path == "/requests" && !evaluate[bool](c, endOfID) {
				t.Errorf("at %d pixels the end of the request ID is cut off", width)
			}
		}
	}
	c.do(chromedp.EmulateViewport(390, 900), chromedp.Navigate(c.url+"/apps/app_1/keys"))
	if text := evaluate[string](c, `getComputedStyle(document.querySelector("[data-label='Last used']"), "::before").content`); !strings.Contains(text, "Last used") {
		t.Errorf("a value on a phone has no label: %s", text)
	}
}

func TestRoutesUseRoomOfEmptyErrors(t *testing.T) {
	t.Parallel()
	back := withLog(3)
	for _, e := range back.logged {
		e.Status, e.ErrorCode, e.ErrorMessage, e.Route = http.StatusOK, "", "", "/v1/companies/{companyId}/jobs"
	}
	c := startChromium(t, back, member(owner, "dev_1"))
	c.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(c.url+"/requests"))
	if evaluate[bool](c, `[...document.querySelectorAll("td.route")].some((cell) => cell.scrollWidth > cell.clientWidth)`) {
		t.Error("a route is cut")
	}
}
