//go:build !nobrowser

package docs_test

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp/kb"

	"vitae.internal/gateway/internal/pages/pagestest"
)

// witness records the URLs that a browser requests and the errors and warnings that it reports.
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

// testimony returns the URLs and complaints recorded so far.
func (w *witness) testimony() (asked, complaints []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked), slices.Clone(w.complaints)
}

// watch enables scripts and returns a witness for the browser.
func watch(c *pagestest.Chromium) *witness {
	w := &witness{}
	pagestest.Call(c, network.Enable, network.EnableParams{})
	pagestest.Call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})
	c.Listen(w.note)
	return w
}

func TestPagesWorkWithoutScriptsAndOtherHosts(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	seen := watch(c)
	pagestest.Call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	for _, path := range []string{"/docs", "/docs/reference", "/docs/reference/createJob", "/docs/errors/API_KEY_INVALID", "/docs/search?q=job"} {
		c.Open(s.URL + path)
		if pagestest.Evaluate[bool](c, "[...document.querySelectorAll('.copy')].some(b => b.offsetParent)") {
			t.Errorf("%s shows a copy button that does nothing", path)
		}
	}
	asked, complaints := seen.testimony()
	for _, address := range asked {
		if !strings.HasPrefix(address, "data:") && !strings.HasPrefix(address, s.URL+"/") {
			t.Errorf("the browser requested %s", address)
		}
	}
	for _, complaint := range complaints {
		t.Errorf("the browser reported: %s", complaint)
	}
}

func TestCopyButtonCopiesCode(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	seen := watch(c)
	c.Use(pagestest.Device{Lang: "en", Width: 1280, Height: 900})
	c.Open(s.URL + "/docs/reference/createCompany")
	c.Await("!document.querySelector('.copy').hidden")
	// A headless browser must not read the clipboard, so the test replaces the function that the
	// page calls.
	pagestest.Evaluate[bool](c, "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text }}}) && true")
	c.TabTo("button", "Copy")
	c.Press("\r")
	c.Await("window.copied !== undefined")
	copied := pagestest.Evaluate[string](c, "window.copied")
	if copied != pagestest.Evaluate[string](c, "document.querySelector('.panel-sh code').textContent") || !strings.HasPrefix(copied, "curl ") {
		t.Errorf("copied %q", copied)
	}
	c.Await(`document.body.innerText.includes("Copied")`)
	if _, complaints := seen.testimony(); len(complaints) > 0 {
		t.Errorf("the browser reported: %s", strings.Join(complaints, "\n"))
	}
}

func TestLanguageCanBeChosenWithKeyboard(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	c.Use(pagestest.Device{Lang: "en", Width: 1280, Height: 900})
	c.Open(s.URL + "/docs/reference/createCompany")
	shown := func() []string {
		return pagestest.Evaluate[[]string](c, "[...document.querySelectorAll('.panel')].filter(p => p.offsetParent).map(p => p.className)")
	}
	if got := shown(); len(got) != 1 || got[0] != "panel panel-sh" {
		t.Errorf("the page initially shows %v", got)
	}
	c.TabTo("radio", "curl")
	c.Press(kb.ArrowRight + kb.ArrowRight)
	if got := shown(); len(got) != 1 || got[0] != "panel panel-python" {
		t.Errorf("after two arrow keys, the page shows %v", got)
	}
}

func TestSearchLeadsToOperationsAndErrors(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	c.Use(pagestest.Device{Lang: "en", Width: 1280, Height: 900})
	c.Open(s.URL + "/docs")
	c.TabTo("searchbox", "Search the docs")
	c.Press("publish a job")
	c.Leave("\r")
	if marked := pagestest.Evaluate[[]string](c, "[...document.querySelectorAll('.found li:first-child mark')].map(m => m.innerText.toLowerCase())"); !slices.Contains(marked, "publish") {
		t.Errorf("the marked words are %q", marked)
	}
	for _, step := range []struct{ link, heading string }{
		{".found a", "Publish a job"}, {"a[href='/docs/errors/JOB_NOT_FOUND']", "JOB_NOT_FOUND"}, {"a[href='/docs/reference/closeJob']", "Close a job"},
	} {
		pagestest.Evaluate[bool](c, "document.querySelector("+strconv.Quote(step.link)+").focus() || true")
		c.Leave("\r")
		if got := pagestest.Evaluate[string](c, "document.querySelector('h1').innerText"); got != step.heading {
			t.Fatalf("%s leads to %q", step.link, got)
		}
	}
}

func TestListScrollsToCurrentPage(t *testing.T) {
	t.Parallel()
	s, c := pagestest.StartSite(t), pagestest.StartChromium(t)
	c.Scripts()
	c.Use(pagestest.Device{Lang: "en", Width: 1280, Height: 700})
	c.Open(s.URL + "/docs/reference/downloadResume")
	c.Await(`(nav => {
		const all = document.querySelector(".docs-nav").getBoundingClientRect(), one = nav.getBoundingClientRect();
		return one.top >= all.top && one.bottom <= Math.min(all.bottom, innerHeight);
	})(document.querySelector(".docs-nav [aria-current]"))`)
}
