package console

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// browser keeps cookies, and sends forms as pages show them.
type browser struct {
	t       *testing.T
	site    http.Handler
	cookies map[string]*http.Cookie
}

// open makes a console in front of a backend, and a browser.
func open(t *testing.T, b *backend) *browser {
	t.Helper()
	return openParts(t, partsOf(b))
}

// itself is the backend of every part that stands in front of it.
func (b *backend) itself() *backend { return b }

// partsOf is a backend in the place of every part.
func partsOf(b *backend) parts {
	return parts{console: b, oauth: b, credentials: b, accounts: b, developers: b, members: b, audit: b, usages: b, me: b}
}

// openParts makes a console in front of parts, and a browser.
func openParts(t *testing.T, p parts) *browser {
	t.Helper()
	return &browser{t: t, site: handlerAt(t, p, consoleURL), cookies: map[string]*http.Cookie{}}
}

// handlerAt is a console at an address.
func handlerAt(t *testing.T, p parts, address string) http.Handler {
	t.Helper()
	b := p.console.(interface{ itself() *backend }).itself()
	c, err := build(Config{
		BaseURL: baseURL, AppURL: appURL, URL: address, CookieKeys: testkit.Ring("cookie", "a"),
		Security: http.NotFoundHandler(), Page: func(*http.Request) error { return b.overPages }, Limits: b,
		Log: slog.New(slog.DiscardHandler), Clock: clock.NewFake(now), PlatformOn: true,
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	door, err := c.Door()
	if err != nil {
		t.Fatal(err)
	}
	return door.Handler
}

const sessionName = "__Host-vitae_console_session"

// signedIn is a browser with a session of its own.
func signedIn(t *testing.T, b *backend, session *authv1.GetConsoleSessionResponse) *browser {
	t.Helper()
	return open(t, b).as(b, session)
}

// as signs a browser in.
func (b *browser) as(back *backend, session *authv1.GetConsoleSessionResponse) *browser {
	back.live["secret"] = session
	b.cookies[sessionName] = &http.Cookie{Name: sessionName, Value: "secret"}
	return b
}

func (b *browser) send(r *http.Request) *http.Response {
	b.t.Helper()
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	b.site.ServeHTTP(w, r)
	res := w.Result()
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c
		}
	}
	return res
}

func (b *browser) get(path string) *http.Response {
	b.t.Helper()
	return b.send(httptest.NewRequestWithContext(b.t.Context(), http.MethodGet, consoleURL+path, nil))
}

// post sends a form with the token of the page at from, and the name of its form, if it has
// one.
func (b *browser) post(from, path string, form url.Values) *http.Response {
	b.t.Helper()
	page := body(b.t, b.get(from))
	token, found := hidden(page, "csrf")
	if !found {
		b.t.Fatalf("%s has no form", from)
	}
	form.Set("csrf", token)
	if name, found := hidden(page, formField); found {
		form.Set(formField, name)
	}
	for _, control := range sentAlways.FindAllStringSubmatch(page, -1) {
		if !form.Has(control[1]) {
			form.Set(control[1], "")
		}
	}
	if strings.Contains(page, `name="client-type"`) && !form.Has("client-type") {
		form.Set("client-type", "confidential")
	}
	return b.bare(path, form)
}

// sentAlways are the controls of a page that browsers send even if they are empty.
var sentAlways = regexp.MustCompile(`<(?:textarea|input) id="[^"]+" name="([^"]+)" (?:rows|type="(?:text|email|url|date)")`)

// hidden is the value of the first hidden field of a name.
func hidden(page, name string) (value string, found bool) {
	_, after, found := strings.Cut(page, `<input type="hidden" name="`+name+`" value="`)
	value, _, _ = strings.Cut(after, `"`)
	return value, found
}

func (b *browser) bare(path string, form url.Values) *http.Response {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodPost, consoleURL+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.send(r)
}

func body(t *testing.T, res *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
