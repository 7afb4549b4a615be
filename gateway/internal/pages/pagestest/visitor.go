// Package pagestest provides what the tests of the pages share: a Visitor, who uses the pages as a
// browser does, and a Backend, which replaces the auth and candidate services.
package pagestest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/pages"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
)

// BaseURL is the URL of the REST API. AppURL is the URL of the pages.
const (
	BaseURL = "https://api.vitae.example"
	AppURL  = "https://app.vitae.example"
	// PlainURL is a URL without TLS. The port does not matter.
	PlainURL = "http://127.0.0.1:8081"
)

// Visitor is a fake browser. It stores cookies, and submits forms with the fields that the page
// contains.
type Visitor struct {
	t       *testing.T
	Pages   http.Handler
	Backend *Backend
	appURL  string
	Lang    string
	Cookies map[string]*http.Cookie
	// Through, unless it is nil, wraps the ResponseWriter of each response.
	Through func(http.ResponseWriter) http.ResponseWriter
}

// Visit returns a new browser that visits the pages.
func Visit(t *testing.T) *Visitor { return VisitAt(t, AppURL) }

// VisitAt returns a new browser that visits pages at the given URL.
func VisitAt(t *testing.T, appURL string) *Visitor {
	t.Helper()
	return &Visitor{t: t, Pages: pagesAt(t, appURL), Backend: NewBackend(), appURL: appURL, Lang: "en", Cookies: map[string]*http.Cookie{}}
}

// SignedIn returns a new browser with a session.
func SignedIn(t *testing.T) *Visitor {
	t.Helper()
	v := Visit(t)
	v.SignIn()
	return v
}

// Copy returns another tab of the same browser.
func (v *Visitor) Copy() *Visitor {
	other := *v
	other.Cookies = maps.Clone(v.Cookies)
	return &other
}

// The purposes that distinguish the two kinds of form tokens.
const (
	SessionForms = "csrf session"
	SignInForms  = "csrf form"
)

// FormToken returns a form token. Browsers still hold tokens in this format while a new version is
// rolled out.
func FormToken(purpose, secret string) string {
	h := hmac.New(sha256.New, testkit.Secret("a"))
	h.Write([]byte("vitae pages\x00" + purpose + "\x00" + secret))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// shared caches the pages by URL, because creating them takes longer than most tests.
var shared struct {
	sync.Mutex
	pages map[string]http.Handler
}

func pagesAt(t *testing.T, appURL string) http.Handler {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.pages == nil {
		shared.pages = map[string]http.Handler{}
	}
	if shared.pages[appURL] == nil {
		shared.pages[appURL] = newPages(t, appURL, nil)
	}
	return shared.pages[appURL]
}

// NewPages creates pages that no other test uses. If change is not nil, it is called to modify
// their configuration.
func NewPages(t *testing.T, change func(*pages.Config)) http.Handler {
	t.Helper()
	return newPages(t, AppURL, change)
}

func newPages(t *testing.T, appURL string, change func(*pages.Config)) http.Handler {
	t.Helper()
	specification := Specification(t)
	cfg := pages.Config{
		Auth: conn{}, Candidate: conn{}, BaseURL: BaseURL, AppURL: appURL, LegacyURL: "https://old.vitae.example", ConsoleURL: "https://console.vitae.example",
		CookieKeys: testkit.Ring("cookie", "a"), PlatformOn: true, ClientIP: func(*http.Request) string { return "203.0.113.7" },
		Authorize: func(*http.Request) error { return nil }, Page: charge, Security: http.NotFoundHandler(),
		Log: slog.New(slog.DiscardHandler), Clock: clock.NewFake(Now), Shown: shown(), OwnPDF: ownPDF,
		Document: openapi.Serve(specification), Specification: specification,
	}
	if change != nil {
		change(&cfg)
	}
	listener, err := pages.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return listener.Handler
}

// charge rejects a request if the client's page limit is used up.
func charge(r *http.Request) error {
	if !backendOf(r.Context()).PageLimitUsed {
		return nil
	}
	return errs.New(errs.Exhausted, "RATE_LIMIT_EXCEEDED", "Too many.").WithRetryAfter(7 * time.Second)
}

var specification = sync.OnceValues(func() ([]byte, error) { return openapi.For(BaseURL, AppURL) })

// Specification returns the current OpenAPI document.
func Specification(t *testing.T) []byte {
	t.Helper()
	raw, err := specification()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Response is a response whose body has been read. Root is the document if the body is a page.
type Response struct {
	*http.Response
	Body string
	Root *html.Node
}

// Send sends a request, which contains a form unless form is nil.
func (v *Visitor) Send(method, target string, form url.Values, change ...func(*http.Request)) Response {
	v.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, v.appURL+target, body)
	r.Header.Set("Accept-Language", v.Lang)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", v.appURL)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for _, c := range v.Cookies {
		r.AddCookie(c)
	}
	for _, f := range change {
		f(r)
	}
	rec := httptest.NewRecorder()
	var w http.ResponseWriter = rec
	if v.Through != nil {
		w = v.Through(rec)
	}
	With(v.Backend, v.Pages).ServeHTTP(w, r)
	res := rec.Result()
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 {
			delete(v.Cookies, c.Name)
		} else {
			v.Cookies[c.Name] = c
		}
	}
	return v.read(res)
}

func (v *Visitor) read(res *http.Response) Response {
	v.t.Helper()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	a := Response{Response: res, Body: string(raw)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		if a.Root, err = html.ParseWithOptions(strings.NewReader(a.Body), html.ParseOptionEnableScripting(false)); err != nil {
			v.t.Fatal(err)
		}
		wellFormed(v.t, a)
	}
	return a
}

// Get opens a page.
func (v *Visitor) Get(target string, change ...func(*http.Request)) Response {
	v.t.Helper()
	return v.Send(http.MethodGet, target, nil, change...)
}

// SignIn signs in through the pages.
func (v *Visitor) SignIn() {
	v.t.Helper()
	got := v.Filled("/sign-in", url.Values{"email": {GoodEmail}, "password": {GoodPassword}})
	if got.StatusCode != http.StatusSeeOther {
		v.t.Fatalf("sign-in: status %d: %s", got.StatusCode, got.Text())
	}
}

// Filled opens a page and submits its form with the given fields to the page's own path.
func (v *Visitor) Filled(page string, fields url.Values) Response {
	v.t.Helper()
	form := url.Values{"csrf": {v.Get(page).Token()}}
	maps.Copy(form, fields)
	path, _, _ := strings.Cut(page, "?")
	return v.Send(http.MethodPost, path, form)
}

// Session returns the session token stored in the browser.
func (v *Visitor) Session() string {
	name := "vitae_session"
	if strings.HasPrefix(v.appURL, "https:") {
		name = "__Host-" + name
	}
	return v.Cookies[name].Value
}

// FormToken returns the token for forms in the session.
func (v *Visitor) FormToken() string { return FormToken(SessionForms, v.Session()) }

// Post submits a form with the session's form token.
func (v *Visitor) Post(target string, form url.Values, change ...func(*http.Request)) Response {
	v.t.Helper()
	form.Set("csrf", v.FormToken())
	return v.Send(http.MethodPost, target, form, change...)
}

// Token returns the CSRF token of the page's forms.
func (a Response) Token() string {
	for n := range a.Root.Descendants() {
		if n.Data == "input" && Attribute(n, "name") == "csrf" {
			return Attribute(n, "value")
		}
	}
	return ""
}

// Text returns the text of the page, with white space collapsed.
func (a Response) Text() string {
	var b strings.Builder
	for n := range a.Root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// ByID returns the element with the given id.
func (a Response) ByID(id string) *html.Node {
	for n := range a.Root.Descendants() {
		if n.Type == html.ElementNode && Attribute(n, "id") == id {
			return n
		}
	}
	return nil
}

// Attribute returns the value of an attribute, or "" if there is none.
func Attribute(n *html.Node, name string) string {
	for _, one := range n.Attr {
		if one.Key == name {
			return one.Val
		}
	}
	return ""
}

// Has reports whether an element has an attribute.
func Has(n *html.Node, name string) bool {
	for _, one := range n.Attr {
		if one.Key == name {
			return true
		}
	}
	return false
}

// wellFormed checks what every page must satisfy: balanced tags, unique ids, references to existing
// ids, a label for every control, one main heading, and nothing that the Content-Security-Policy
// would block.
func wellFormed(t *testing.T, a Response) {
	t.Helper()
	balanced(t, a.Body)
	ids, headings := map[string]bool{}, 0
	for n := range a.Root.Descendants() {
		if id := Attribute(n, "id"); id != "" {
			if ids[id] {
				t.Errorf("the id %q occurs twice", id)
			}
			ids[id] = true
		}
		if n.Data == "h1" {
			headings++
		}
		script := n.Type == html.ElementNode && n.Data == "script"
		if script && strings.HasPrefix(Attribute(n, "src"), "/static/") && n.FirstChild == nil {
			script = !strings.Contains(a.Header.Get("Content-Security-Policy")+";", "script-src 'self';")
		}
		if script || Has(n, "style") || n.Data == "style" {
			t.Errorf("<%s> is blocked by the policy: %v", n.Data, n.Attr)
		}
		for _, one := range n.Attr {
			if strings.HasPrefix(one.Key, "on") {
				t.Errorf("inline handler %s", one.Key)
			}
			if strings.Contains(one.Val, "ZgotmplZ") {
				t.Errorf("the template rejected %s=%q", one.Key, one.Val)
			}
		}
	}
	if headings != 1 {
		t.Errorf("%d main headings", headings)
	}
	for n := range a.Root.Descendants() {
		for _, ref := range []string{"for", "aria-labelledby", "aria-describedby"} {
			for id := range strings.FieldsSeq(Attribute(n, ref)) {
				if !ids[id] {
					t.Errorf("%s=%q refers to no element", ref, id)
				}
			}
		}
		if href := Attribute(n, "href"); strings.HasPrefix(href, "#") && !ids[href[1:]] {
			t.Errorf("href=%q leads nowhere", href)
		}
	}
}

// balanced checks that every element has its end tag in the right place.
func balanced(t *testing.T, body string) {
	t.Helper()
	void := map[string]bool{"meta": true, "link": true, "input": true, "img": true, "br": true}
	var open []string
	for z := html.NewTokenizer(strings.NewReader(body)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if len(open) != 0 {
				t.Errorf("these elements are not closed: %v", open)
			}
			return
		case html.StartTagToken:
			if name, _ := z.TagName(); !void[string(name)] {
				open = append(open, string(name))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Errorf("</%s> does not close the innermost of %v", name, open)
				return
			}
			open = open[:len(open)-1]
		}
	}
}

// Editing returns a signed-in browser that visits pages no other test uses. The pages must not be
// shared, because they limit the number of files read concurrently.
func Editing(t *testing.T) *Visitor {
	t.Helper()
	v := Visit(t)
	v.Pages = NewPages(t, nil)
	v.SignIn()
	return v
}
