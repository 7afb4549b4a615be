package pages

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/testkit"
)

func splitScope(s string) []string { return strings.Fields(s) }

const baseURL = "https://api.vitae.example"

// visitor is a browser without a window: it keeps cookies, and sends forms as the
// pages show them.
type visitor struct {
	t       *testing.T
	pages   http.Handler
	backend *backend
	appURL  string
	lang    string
	cookies map[string]*http.Cookie
	// through wraps what answers are written to; nil for nothing.
	through func(http.ResponseWriter) http.ResponseWriter
}

func visit(t *testing.T, appURL string) *visitor {
	t.Helper()
	b := newBackend()
	return &visitor{t: t, pages: newPages(t, b, appURL, nil), backend: b, appURL: appURL, lang: "en", cookies: map[string]*http.Cookie{}}
}

// sessionForms and signInForms are the purposes of the two kinds of form tokens.
const (
	sessionForms = "csrf session"
	signInForms  = "csrf form"
)

// formToken is the token of a form, made as browsers hold it in forms that are open
// while a new version is rolled out.
func formToken(purpose, secret string) string {
	h := hmac.New(sha256.New, testkit.Secret("a"))
	h.Write([]byte("vitae pages\x00" + purpose + "\x00" + secret))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// ofAddress is what the pages at an address are made of.
type ofAddress struct {
	site          *web.Site
	specification []byte
}

// made has what was made for each address: that costs more than most tests.
var made struct {
	sync.Mutex
	of map[string]ofAddress
}

// makeOf makes what pages at the address of a configuration have in common.
func makeOf(t *testing.T, cfg Config) ofAddress {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	if m, there := made.of[cfg.AppURL]; there {
		return m
	}
	site, err := newSite(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if made.of == nil {
		made.of = map[string]ofAddress{}
	}
	made.of[cfg.AppURL] = ofAddress{site, specification(t, cfg.AppURL)}
	return made.of[cfg.AppURL]
}

// newPages makes the pages. change may change their configuration. The guides name the
// addresses of newDocs whatever that of the pages is.
func newPages(t *testing.T, b *backend, appURL string, change func(*Config)) http.Handler {
	t.Helper()
	cfg := Config{
		BaseURL: baseURL, AppURL: appURL,
		CookieKeys: testkit.Ring("cookie", "a"), PlatformOn: true, ClientIP: func(*http.Request) string { return "203.0.113.7" },
		Authorize: func(*http.Request) error { return nil }, Page: func(*http.Request) error { return nil }, Security: http.NotFoundHandler(),
		Log: slog.New(slog.DiscardHandler), Clock: clock.NewFake(now), Shown: b.shown(), OwnPDF: b.ownPDF,
		LegacyURL: "https://old.vitae.example", ConsoleURL: "https://console.vitae.example",
	}
	m := makeOf(t, cfg)
	site := *m.site // a site knows the routes of one handler
	cfg.Document, cfg.Specification = openapi.Serve(m.specification), m.specification
	if change != nil {
		change(&cfg)
		changed, err := newSite(cfg)
		if err != nil {
			t.Fatal(err)
		}
		site = *changed
	}
	documentation := newDocs(t)
	documentation.site, documentation.openapi = &site, cfg.Document
	door, err := assemble(cfg, parts{sessions: b, signUps: b, passwords: b, passkeys: b, activity: b, oauth: b, connections: b, profiles: b, editor: b, documents: b, applicants: b, logos: b}, &site, documentation)
	if err != nil {
		t.Fatal(err)
	}
	return door.Handler
}

// response is an answer whose body has been read.
type response struct {
	*http.Response
	body string
	root *html.Node
}

func (v *visitor) send(method, target string, form url.Values, change ...func(*http.Request)) response {
	v.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, v.appURL+target, body)
	r.Header.Set("Accept-Language", v.lang)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", v.appURL)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for _, c := range v.cookies {
		r.AddCookie(c)
	}
	for _, f := range change {
		f(r)
	}
	rec := httptest.NewRecorder()
	if v.through == nil {
		v.through = func(w http.ResponseWriter) http.ResponseWriter { return w }
	}
	v.pages.ServeHTTP(v.through(rec), r)
	res := rec.Result()
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 {
			delete(v.cookies, c.Name)
		} else {
			v.cookies[c.Name] = c
		}
	}
	return v.read(res)
}

func (v *visitor) read(res *http.Response) response {
	v.t.Helper()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	a := response{Response: res, body: string(raw)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		if a.root, err = html.ParseWithOptions(strings.NewReader(a.body), html.ParseOptionEnableScripting(false)); err != nil {
			v.t.Fatal(err)
		}
		wellFormed(v.t, a)
	}
	return a
}

func (v *visitor) get(target string, change ...func(*http.Request)) response {
	v.t.Helper()
	return v.send(http.MethodGet, target, nil, change...)
}

// signIn opens a session through the pages.
func (v *visitor) signIn() {
	v.t.Helper()
	a := v.get("/sign-in")
	got := v.send(http.MethodPost, "/sign-in", url.Values{
		"csrf": {a.token()}, "email": {goodEmail}, "password": {goodPassword},
	})
	if got.StatusCode != http.StatusSeeOther {
		v.t.Fatalf("sign-in answers %d: %s", got.StatusCode, got.text())
	}
}

// session is the session token that the browser holds.
func (v *visitor) session() string {
	name := "vitae_session"
	if strings.HasPrefix(v.appURL, "https:") {
		name = "__Host-" + name
	}
	return v.cookies[name].Value
}

// post sends a form with the session's token.
func (v *visitor) post(target string, form url.Values, change ...func(*http.Request)) response {
	v.t.Helper()
	form.Set("csrf", formToken(sessionForms, v.session()))
	return v.send(http.MethodPost, target, form, change...)
}

// token is the CSRF token of the page's forms.
func (a response) token() string {
	for n := range a.root.Descendants() {
		if n.Data == "input" && attribute(n, "name") == "csrf" {
			return attribute(n, "value")
		}
	}
	return ""
}

// text is the text of the page, spaces collapsed.
func (a response) text() string {
	var b strings.Builder
	for n := range a.root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// byID finds an element.
func (a response) byID(id string) *html.Node {
	for n := range a.root.Descendants() {
		if n.Type == html.ElementNode && attribute(n, "id") == id {
			return n
		}
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	for _, one := range n.Attr {
		if one.Key == name {
			return one.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, one := range n.Attr {
		if one.Key == name {
			return true
		}
	}
	return false
}

// wellFormed checks what every page must satisfy: balanced tags, unique ids,
// references that lead somewhere, a label for every control, one main heading,
// and nothing that the policy would refuse.
func wellFormed(t *testing.T, a response) {
	t.Helper()
	balanced(t, a.body)
	ids, headings := map[string]bool{}, 0
	for n := range a.root.Descendants() {
		if id := attribute(n, "id"); id != "" {
			if ids[id] {
				t.Errorf("the id %q is there twice", id)
			}
			ids[id] = true
		}
		if n.Data == "h1" {
			headings++
		}
		script := n.Type == html.ElementNode && n.Data == "script"
		if script && strings.HasPrefix(attribute(n, "src"), "/static/") && n.FirstChild == nil {
			script = !strings.Contains(a.Header.Get("Content-Security-Policy")+";", "script-src 'self';")
		}
		if script || has(n, "style") || n.Data == "style" {
			t.Errorf("<%s> that the policy refuses: %v", n.Data, n.Attr)
		}
		for _, one := range n.Attr {
			if strings.HasPrefix(one.Key, "on") {
				t.Errorf("inline handler %s", one.Key)
			}
			if strings.Contains(one.Val, "ZgotmplZ") {
				t.Errorf("the template refused %s=%q", one.Key, one.Val)
			}
		}
	}
	if headings != 1 {
		t.Errorf("%d main headings", headings)
	}
	for n := range a.root.Descendants() {
		for _, ref := range []string{"for", "aria-labelledby", "aria-describedby"} {
			for id := range strings.FieldsSeq(attribute(n, ref)) {
				if !ids[id] {
					t.Errorf("%s=%q leads nowhere", ref, id)
				}
			}
		}
		if href := attribute(n, "href"); strings.HasPrefix(href, "#") && !ids[href[1:]] {
			t.Errorf("href=%q leads nowhere", href)
		}
	}
}

// balanced checks that every element that needs an end tag has it in its place.
func balanced(t *testing.T, body string) {
	t.Helper()
	void := map[string]bool{"meta": true, "link": true, "input": true, "img": true, "br": true}
	var open []string
	for z := html.NewTokenizer(strings.NewReader(body)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if len(open) != 0 {
				t.Errorf("left open: %v", open)
			}
			return
		case html.StartTagToken:
			if name, _ := z.TagName(); !void[string(name)] {
				open = append(open, string(name))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Errorf("</%s> closes %v", name, open)
				return
			}
			open = open[:len(open)-1]
		}
	}
}
