//go:build !nobrowser

package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
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

// patience ends a test whose browser hangs. No test measures time by it.
const patience = 4 * time.Minute

// chromium is a person at a real browser, with JavaScript off.
type chromium struct {
	t   *testing.T
	ctx context.Context
}

// device is what the person looks at.
type device struct {
	lang          string
	width, height int64
	dark          bool
}

func (d device) String() string {
	scheme := "light"
	if d.dark {
		scheme = "dark"
	}
	return fmt.Sprintf("%s-%d-%s", d.lang, d.width, scheme)
}

func startChromium(t *testing.T) *chromium {
	t.Helper()
	c := &chromium{t: t, ctx: chromiumtest.Open(t)}
	call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	call(c, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
	return c
}

func (c *chromium) use(d device) {
	c.t.Helper()
	c.do(chromedp.EmulateViewport(d.width, d.height))
	scheme := "light"
	if d.dark {
		scheme = "dark"
	}
	call(c, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	call(c, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": d.lang}})
}

func (c *chromium) do(steps ...chromedp.Action[chromedp.Void]) {
	c.t.Helper()
	c.check(chromedp.Do(c.ctx, steps...))
}

func (c *chromium) check(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
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

func (c *chromium) open(address string) {
	c.t.Helper()
	c.do(chromedp.Navigate(address))
}

// leave presses keys that lead to another page, and waits until it is there.
func (c *chromium) leave(keys string) {
	c.t.Helper()
	_, err := chromedp.RunResponse(c.ctx, chromedp.KeyEvent(keys))
	c.check(err)
}

func (c *chromium) press(keys string) {
	c.t.Helper()
	c.do(chromedp.KeyEvent(keys))
}

// control is an element as a screen reader has it.
type control struct {
	role, name, description             string
	focused, checked, disabled, invalid bool
}

func (c *chromium) tree() []control {
	c.t.Helper()
	var out []control
	for _, n := range call(c, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if n.Ignored {
			continue
		}
		one := control{role: plain(n.Role), name: plain(n.Name), description: plain(n.Description)}
		for _, p := range n.Properties {
			switch value := plain(p.Value); p.Name {
			case accessibility.PropertyNameFocused:
				one.focused = value == "true"
			case accessibility.PropertyNameChecked:
				one.checked = value == "true"
			case accessibility.PropertyNameDisabled:
				one.disabled = value == "true"
			case accessibility.PropertyNameInvalid:
				one.invalid = value == "true"
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

// find gives the only control of a role and name.
func (c *chromium) find(role, name string) control {
	c.t.Helper()
	var found []control
	tree := c.tree()
	for _, one := range tree {
		if one.role == role && one.name == name {
			found = append(found, one)
		}
	}
	if len(found) != 1 {
		c.t.Fatalf("%d controls %s %q in %+v", len(found), role, name, tree)
	}
	return found[0]
}

// awaitFocus waits until a control of the role has the focus. A browser gives the focus
// that a page asks for when it draws the page, which may be after it has loaded (HTML,
// "flush autofocus candidates").
func (c *chromium) awaitFocus(role string) {
	c.t.Helper()
	for until := time.Now().Add(time.Minute); ; {
		tree := c.tree()
		if slices.ContainsFunc(tree, func(one control) bool { return one.focused && one.role == role }) {
			return
		}
		if time.Now().After(until) {
			c.t.Fatalf("no %s has the focus: %+v", role, tree)
		}
	}
}

// tabTo presses Tab until the control has the focus.
func (c *chromium) tabTo(role, name string) {
	c.t.Helper()
	const most = 40 // more stops than any page has
	for range most {
		c.press("\t")
		focus := slices.IndexFunc(c.tree(), func(one control) bool {
			return one.focused && one.role == role && one.name == name
		})
		if focus >= 0 {
			return
		}
	}
	c.t.Fatalf("Tab does not lead to %s %q", role, name)
}

// site is the pages on a real listener, and a partner's site on two others.
type site struct {
	url     string
	backend *backend
	pages   http.Handler
	// arrived gets the query with which the browser came back to the partner.
	arrived chan url.Values
}

func startSite(t *testing.T) *site {
	t.Helper()
	s := &site{backend: newBackend(), arrived: make(chan url.Values, 1)}
	// The partner's callback sends the browser on to another host and scheme, as to an app on the
	// person's own machine.
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>Partner</title><h1>Welcome</h1>"))
	}))
	t.Cleanup(home.Close)
	callback := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/callback" {
			s.arrived <- r.URL.Query()
		}
		http.Redirect(w, r, home.URL, http.StatusFound)
	}))
	t.Cleanup(callback.Close)
	s.backend.app.RedirectUris = []string{callback.URL + "/callback"}

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://" + listener.Addr().String()
	s.pages = newPages(t, s.backend, s.url, nil)
	server := &http.Server{Handler: s.pages, ReadHeaderTimeout: patience}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return s
}

// consentURL is an authorization request of the partner's.
func (s *site) consentURL() string {
	return s.url + "/oauth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {"svc_ci_1"}, "redirect_uri": {s.backend.app.GetRedirectUris()[0]},
		"scope": {"profile email cv:read cv:contact"}, "state": {"a b&c=\"✓\"\r\n"},
		"code_challenge": {"x"}, "code_challenge_method": {"S256"},
	}.Encode()
}
