//go:build !nobrowser

package pages

import (
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
)

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

func TestPagesForPartnersAreReadWithoutScriptsAndWithoutAskingAnotherHost(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	seen := c.watch()
	call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	for _, d := range []device{
		{"en", 360, 740, false}, {"en", 360, 740, true}, {"ar", 1280, 900, false}, {"en", 1280, 900, true},
	} {
		c.use(d)
		for _, path := range []string{"/docs", "/docs/reference", "/docs/reference/createJob", "/docs/errors/API_KEY_INVALID", "/docs/search?q=job"} {
			c.open(s.url + path)
			if lang := evaluate[string](c, "document.documentElement.lang"); lang != "en" {
				t.Errorf("%v: %s: lang %q", d, path, lang)
			}
			if wider := evaluate[int](c, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); wider > 0 {
				t.Errorf("%v: %s is %d px wider than the window", d, path, wider)
			}
			if evaluate[bool](c, "[...document.querySelectorAll('.copy')].some(b => b.offsetParent)") {
				t.Errorf("%v: %s shows a button that does nothing", d, path)
			}
			bright := "getComputedStyle(document.querySelector('h1')).color.match(/[0-9]+/g).slice(0, 3).every(x => x > 127)"
			if evaluate[bool](c, bright) != d.dark {
				t.Errorf("%v: %s is not drawn in the system's scheme", d, path)
			}
			beside := "document.querySelector('.docs-nav').getBoundingClientRect().right <= document.querySelector('main').getBoundingClientRect().left"
			below := "document.querySelector('.docs-nav').getBoundingClientRect().top >= document.querySelector('main').getBoundingClientRect().bottom && document.querySelector('.all').offsetParent !== null"
			if wide := d.width > 960; evaluate[bool](c, beside) != wide || evaluate[bool](c, below) == wide {
				t.Errorf("%v: %s: the list of pages is not in its place", d, path)
			}
		}
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

func TestCodeIsCopiedAsItStands(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	seen := c.watch()
	c.use(device{"en", 1280, 900, false})
	c.open(s.url + "/docs/reference/createCompany")
	c.awaits("!document.querySelector('.copy').hidden")
	// The clipboard of a browser without a window may not be read: the page's own call is.
	evaluate[bool](c, "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text }}}) && true")
	c.tabTo("button", "Copy")
	c.press("\r")
	c.awaits("window.copied !== undefined")
	copied := evaluate[string](c, "window.copied")
	if copied != evaluate[string](c, "document.querySelector('.panel-sh code').textContent") || !strings.HasPrefix(copied, "curl ") {
		t.Errorf("copied %q", copied)
	}
	c.shows("Copied")
	if _, complaints := seen.testimony(); len(complaints) > 0 {
		t.Errorf("the browser complained: %s", strings.Join(complaints, "\n"))
	}
}

func TestALanguageIsChosenByKeyboardWithoutScripts(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	c.use(device{"en", 1280, 900, false})
	c.open(s.url + "/docs/reference/createCompany")
	shown := func() []string {
		return evaluate[[]string](c, "[...document.querySelectorAll('.panel')].filter(p => p.offsetParent).map(p => p.className)")
	}
	if got := shown(); len(got) != 1 || got[0] != "panel panel-sh" {
		t.Errorf("at first it shows %v", got)
	}
	c.tabTo("radio", "curl")
	c.press(kb.ArrowRight + kb.ArrowRight)
	if got := shown(); len(got) != 1 || got[0] != "panel panel-python" {
		t.Errorf("then it shows %v", got)
	}
}

func TestAWordLeadsFromTheBoxToAnOperationAndOnToItsErrors(t *testing.T) {
	t.Parallel()
	s, c := startSite(t), startChromium(t)
	c.use(device{"en", 1280, 900, false})
	c.open(s.url + "/docs")
	c.tabTo("searchbox", "Search the docs")
	c.press("publish a job")
	c.leave("\r")
	if marked := evaluate[[]string](c, "[...document.querySelectorAll('.found li:first-child mark')].map(m => m.innerText.toLowerCase())"); !slices.Contains(marked, "publish") {
		t.Errorf("marked: %q", marked)
	}
	for _, step := range []struct{ link, heading string }{
		{".found a", "Publish a job"}, {"a[href='/docs/errors/JOB_NOT_FOUND']", "JOB_NOT_FOUND"}, {"a[href='/docs/reference/closeJob']", "Close a job"},
	} {
		evaluate[bool](c, "document.querySelector("+strconv.Quote(step.link)+").focus() || true")
		c.leave("\r")
		if got := evaluate[string](c, "document.querySelector('h1').innerText"); got != step.heading {
			t.Fatalf("%s leads to %q", step.link, got)
		}
	}
}
