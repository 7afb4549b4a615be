//go:build !nobrowser

package pagestest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"

	"vitae.internal/pkg/testkit/chromiumtest"
)

// Patience limits how long a test waits for a browser that has hung. No test relies on it to
// measure time.
const Patience = 4 * time.Minute

// Chromium is a person who uses a real browser with JavaScript disabled.
type Chromium struct {
	t   *testing.T
	ctx context.Context
}

// Device is the device on which the person views the pages.
type Device struct {
	Lang          string
	Width, Height int64
	Dark          bool
}

func (d Device) String() string {
	scheme := "light"
	if d.Dark {
		scheme = "dark"
	}
	return fmt.Sprintf("%s-%d-%s", d.Lang, d.Width, scheme)
}

// StartChromium opens a browser tab.
func StartChromium(t *testing.T) *Chromium {
	t.Helper()
	c := &Chromium{t: t, ctx: chromiumtest.Open(t)}
	Call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	Call(c, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
	return c
}

func (c *Chromium) Use(d Device) {
	c.t.Helper()
	c.Do(chromedp.EmulateViewport(d.Width, d.Height))
	scheme := "light"
	if d.Dark {
		scheme = "dark"
	}
	Call(c, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	Call(c, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": d.Lang}})
}

func (c *Chromium) Do(steps ...chromedp.Action[chromedp.Void]) {
	c.t.Helper()
	c.Check(chromedp.Do(c.ctx, steps...))
}

func (c *Chromium) Check(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// Call sends a command of the Chrome DevTools Protocol.
func Call[P, R any](c *Chromium, command cdp.Command[P, R], params P) R {
	c.t.Helper()
	result, err := chromedp.Call(c.ctx, command, params)
	c.Check(err)
	return result
}

// Evaluate returns the value of a JavaScript expression in the page.
func Evaluate[T any](c *Chromium, expression string) T {
	c.t.Helper()
	v, err := chromedp.Run(c.ctx, chromedp.Evaluate[T](expression))
	c.Check(err)
	return v
}

func (c *Chromium) Open(address string) {
	c.t.Helper()
	c.Do(chromedp.Navigate(address))
}

// Leave presses keys that open a different page, and waits until that page has loaded.
func (c *Chromium) Leave(keys string) {
	c.t.Helper()
	_, err := chromedp.RunResponse(c.ctx, chromedp.KeyEvent(keys))
	c.Check(err)
}

func (c *Chromium) Press(keys string) {
	c.t.Helper()
	c.Do(chromedp.KeyEvent(keys))
}

// Control is an element as a screen reader presents it.
type Control struct {
	Role, Name, Description             string
	Focused, Checked, Disabled, Invalid bool
}

func (c *Chromium) tree() []Control {
	c.t.Helper()
	var out []Control
	for _, n := range Call(c, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if n.Ignored {
			continue
		}
		one := Control{Role: plain(n.Role), Name: plain(n.Name), Description: plain(n.Description)}
		for _, p := range n.Properties {
			switch value := plain(p.Value); p.Name {
			case accessibility.PropertyNameFocused:
				one.Focused = value == "true"
			case accessibility.PropertyNameChecked:
				one.Checked = value == "true"
			case accessibility.PropertyNameDisabled:
				one.Disabled = value == "true"
			case accessibility.PropertyNameInvalid:
				one.Invalid = value == "true"
			}
		}
		out = append(out, one)
	}
	return out
}

func plain(v *accessibility.Value) string {
	var s any
	if v == nil || json.Unmarshal([]byte(v.Value), &s) != nil || s == nil {
		return ""
	}
	return fmt.Sprint(s)
}

// Find returns the only control with the given role and name.
func (c *Chromium) Find(role, name string) Control {
	c.t.Helper()
	var found []Control
	tree := c.tree()
	for _, one := range tree {
		if one.Role == role && one.Name == name {
			found = append(found, one)
		}
	}
	if len(found) != 1 {
		c.t.Fatalf("%d controls have the role %s and the name %q in %+v", len(found), role, name, tree)
	}
	return found[0]
}

// AwaitFocus waits until a control with the given role has the focus. A browser moves the focus as
// the page requests when it renders the page, which may happen after the page has loaded (HTML,
// "flush autofocus candidates").
func (c *Chromium) AwaitFocus(role string) {
	c.t.Helper()
	for until := time.Now().Add(time.Minute); ; {
		tree := c.tree()
		if slices.ContainsFunc(tree, func(one Control) bool { return one.Focused && one.Role == role }) {
			return
		}
		if time.Now().After(until) {
			c.t.Fatalf("no control with the role %s has the focus: %+v", role, tree)
		}
	}
}

// TabTo presses Tab until the control has the focus.
func (c *Chromium) TabTo(role, name string) {
	c.t.Helper()
	const most = 40 // more tab stops than any page has
	for range most {
		c.Press("\t")
		focus := slices.IndexFunc(c.tree(), func(one Control) bool {
			return one.Focused && one.Role == role && one.Name == name
		})
		if focus >= 0 {
			return
		}
	}
	c.t.Fatalf("Tab does not reach %s %q", role, name)
}

// Site serves the pages on a listener, and a partner's site on two others.
type Site struct {
	URL     string
	Backend *Backend
	// Arrived receives the query with which the browser returned to the partner.
	Arrived chan url.Values
}

// StartSite starts a Site.
func StartSite(t *testing.T) *Site {
	t.Helper()
	s := &Site{Backend: NewBackend(), Arrived: make(chan url.Values, 1)}
	// The partner's callback redirects the browser to a different host and scheme, as an app on the
	// person's own computer might do.
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>Partner</title><h1>Welcome</h1>"))
	}))
	t.Cleanup(home.Close)
	callback := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/callback" {
			s.Arrived <- r.URL.Query()
		}
		http.Redirect(w, r, home.URL, http.StatusFound)
	}))
	t.Cleanup(callback.Close)
	s.Backend.App.RedirectUris = []string{callback.URL + "/callback"}

	server := httptest.NewServer(With(s.Backend, pagesAt(t, PlainURL)))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// ConsentURL returns the URL of an authorization request by the partner.
func (s *Site) ConsentURL() string {
	return s.URL + "/oauth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {"svc_ci_1"}, "redirect_uri": {s.Backend.App.GetRedirectUris()[0]},
		"scope": {"profile email cv:read cv:contact"}, "state": {"a b&c=\"✓\"\r\n"},
		"code_challenge": {"x"}, "code_challenge_method": {"S256"},
	}.Encode()
}

// Scripts enables JavaScript.
func (c *Chromium) Scripts() {
	c.t.Helper()
	Call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})
}

// Tab opens another tab of the same browser, with JavaScript enabled.
func (c *Chromium) Tab() *Chromium {
	c.t.Helper()
	ctx, cancel := chromedp.NewContext(c.ctx)
	c.t.Cleanup(cancel)
	other := &Chromium{t: c.t, ctx: ctx}
	other.Do(chromedp.EmulateViewport(1280, 900))
	return other
}

// Listen calls a function for every event of the browser.
func (c *Chromium) Listen(note func(event any)) {
	c.t.Helper()
	c.Check(chromedp.Listen(c.ctx, note))
}

// Await waits until an expression is true in the page. chromedp.Poll cannot be used, because it
// creates a function from a string, which the pages' Content-Security-Policy forbids.
func (c *Chromium) Await(expression string) {
	c.t.Helper()
	for until := time.Now().Add(Patience / 2); !Evaluate[bool](c, expression); {
		if time.Now().After(until) {
			c.t.Fatalf("timed out waiting for %s; the page shows %q", expression, Evaluate[string](c, "document.body.innerText"))
		}
	}
}
