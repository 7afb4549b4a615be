package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// browser is a client that keeps cookies and sends forms.
type browser struct {
	t       *testing.T
	handler http.Handler
	cookies map[string]string
}

func newBrowser(t *testing.T, handler http.Handler) *browser {
	t.Helper()
	return &browser{t: t, handler: handler, cookies: map[string]string{}}
}

func (b *browser) send(method, target string, form url.Values, change ...func(*http.Request)) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequest(method, consoleURL+target, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", consoleURL)
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
			continue
		}
		if !strings.HasPrefix(c.Name, "__Host-vitae_console_") || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode || c.Path != "/" {
			b.t.Errorf("cookie %+v", c)
		}
		b.cookies[c.Name] = c.Value
	}
	return w
}

func (b *browser) get(target string) *httptest.ResponseRecorder {
	b.t.Helper()
	return b.send(http.MethodGet, target, nil)
}

var tokenField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// token returns the CSRF token on a page.
func (b *browser) token(page *httptest.ResponseRecorder) string {
	b.t.Helper()
	m := tokenField.FindStringSubmatch(page.Body.String())
	if m == nil {
		b.t.Fatalf("the page has no form: %d %s", page.Code, page.Body)
	}
	return m[1]
}

func (b *browser) signIn(email string) {
	b.t.Helper()
	token := b.token(b.get("/sign-in"))
	b.leads(b.send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {email}}), "/apps")
}

// leads checks that a response redirects to path.
func (b *browser) leads(w *httptest.ResponseRecorder, path string) {
	b.t.Helper()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != path {
		b.t.Fatalf("status %d, redirect to %q, want %q: %s", w.Code, w.Header().Get("Location"), path, w.Body)
	}
}

// shows checks the status of a response and that its page contains all texts.
func (b *browser) shows(w *httptest.ResponseRecorder, status int, texts ...string) {
	b.t.Helper()
	if w.Code != status {
		b.t.Errorf("status %d, want %d", w.Code, status)
	}
	for _, text := range texts {
		if !strings.Contains(w.Body.String(), text) {
			b.t.Errorf("the page lacks %q: %s", text, w.Body)
		}
	}
}
