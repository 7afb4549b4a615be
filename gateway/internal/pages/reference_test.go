package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"vitae.internal/gateway/internal/api/openapi"
)

// document is the OpenAPI document of this version.
func document(t *testing.T, appURL string) http.Handler {
	t.Helper()
	h, err := openapi.Handler(baseURL, appURL)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// witness writes down the addresses that a browser asks and the faults that it reports.
type witness struct {
	mu         sync.Mutex
	asked      []string
	complaints []string
}

func (w *witness) note(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		w.asked = append(w.asked, e.Request.URL)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			w.complaints = append(w.complaints, e.Entry.Text)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			w.complaints = append(w.complaints, string(e.Args[0].Value)+e.Args[0].Description)
		}
	case *runtime.EventExceptionThrown:
		w.complaints = append(w.complaints, e.ExceptionDetails.Text)
	}
}

// testimony gives the addresses and the faults so far.
func (w *witness) testimony() (asked, complaints []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked), slices.Clone(w.complaints)
}

// watch switches scripts on, and gives the witness of what they do.
func (c *chromium) watch() *witness {
	c.t.Helper()
	w := &witness{}
	call(c, network.Enable, network.EnableParams{})
	call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})
	c.check(chromedp.Listen(c.ctx, w.note))
	return w
}

// shows waits until the page shows a text.
func (c *chromium) shows(text string) {
	c.t.Helper()
	c.awaits("document.body.innerText.includes(" + strconv.Quote(text) + ")")
}

// awaits waits until a condition of the page holds. chromedp.Poll cannot do it: it
// makes a function from a text, which the page's policy forbids.
func (c *chromium) awaits(condition string) {
	c.t.Helper()
	_, err := chromedp.Run(c.ctx, chromedp.Evaluate[bool](
		"new Promise(done => { const look = () => ("+condition+") ? done(true) : requestAnimationFrame(look); look() })",
		chromedp.EvalAwaitPromise))
	c.check(err)
}

func TestTheReferenceIsDrawnWithoutAskingAnotherHost(t *testing.T) {
	s, c := startSite(t), startChromium(t)
	seen := c.watch()
	for _, d := range []device{
		{"en", 360, 740, false}, {"en", 360, 740, true}, {"ar", 1280, 900, false}, {"en", 1280, 900, true},
	} {
		c.use(d)
		c.open(s.url + "/docs")
		c.shows("Let people sign in and share a CV")
		if lang := evaluate[string](c, "document.documentElement.lang"); lang != "en" {
			t.Errorf("%v: lang %q", d, lang)
		}
		if wider := evaluate[int](c, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); wider > 0 {
			t.Errorf("%v: %d px wider than the window", d, wider)
		}
		// Redoc draws in the scheme that the person's system has.
		bright := "getComputedStyle(document.querySelector('#reference h1')).color.match(/[0-9]+/g).slice(0, 3).every(x => x > 127)"
		if evaluate[bool](c, bright) != d.dark {
			t.Errorf("%v: is not drawn in the system's scheme", d)
		}
		c.picture(d, "reference")
	}
	asked, complaints := seen.testimony()
	for _, address := range asked {
		u, err := url.Parse(address)
		if err != nil || (u.Scheme != "data" && u.Scheme+"://"+u.Host != s.url) {
			t.Errorf("the browser asked %s", address)
		}
	}
	for _, complaint := range complaints {
		t.Errorf("the browser complained: %s", complaint)
	}
}

func TestTheReferenceFindsAndOpensAnOperation(t *testing.T) {
	s, c := startSite(t), startChromium(t)
	seen := c.watch()
	c.use(device{"en", 1280, 900, false})
	c.open(s.url + "/docs")
	c.shows("Let people sign in and share a CV")
	c.shows("Search Ctrl+K")
	c.tabTo("button", "Search Ctrl+K")
	c.press("\r")
	c.awaits("document.activeElement.matches('input, textarea')")
	c.press("publish a job")
	c.shows("Publish a job")
	c.press(kb.ArrowDown + "\r")
	c.awaits("location.hash !== ''")
	c.shows("/v1/jobs/{jobId}/publish")
	if _, complaints := seen.testimony(); len(complaints) > 0 {
		t.Errorf("the browser complained: %s", strings.Join(complaints, "\n"))
	}
}
