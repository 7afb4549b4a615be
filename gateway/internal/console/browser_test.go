package console_test

import (
	"bytes"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/console"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	baseURL    = "https://api.vitae.example"
	appURL     = "https://vitae.example"
	consoleURL = "https://console.vitae.example"
)

const sessionCookie = "__Host-vitae_console_session"

// browser is a fake browser. It stores cookies, and submits forms with the fields that the page
// contains.
type browser struct {
	t       *testing.T
	site    http.Handler
	cookies map[string]*http.Cookie
}

func configOf(b *backend, address string) console.Config {
	return console.Config{
		Auth: b, Candidate: b, BaseURL: baseURL, AppURL: appURL, URL: address, CookieKeys: testkit.Ring("cookie", "a"),
		Security: http.NotFoundHandler(), Page: b.charge, Limits: b,
		Log: slog.New(slog.DiscardHandler), Clock: clock.NewFake(now), PlatformOn: true,
	}
}

// siteAt returns the handler of a console with the given URL.
func siteAt(t *testing.T, b *backend, address string) http.Handler {
	t.Helper()
	made, err := console.New(configOf(b, address))
	if err != nil {
		t.Fatal(err)
	}
	return made.Handler
}

// visit returns a browser without a session.
func visit(t *testing.T, b *backend) *browser {
	t.Helper()
	return &browser{t: t, site: siteAt(t, b, consoleURL), cookies: map[string]*http.Cookie{}}
}

// signIn returns a browser with a session.
func signIn(t *testing.T, b *backend, session *authv1.GetConsoleSessionResponse) *browser {
	t.Helper()
	return visit(t, b).as(b, session)
}

// as signs the browser in with the given session.
func (b *browser) as(back *backend, session *authv1.GetConsoleSessionResponse) *browser {
	back.live["secret"] = session
	b.cookies[sessionCookie] = &http.Cookie{Name: sessionCookie, Value: "secret"}
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

// page returns the body of a page.
func (b *browser) page(path string) string {
	b.t.Helper()
	return body(b.t, b.get(path))
}

// post opens the page at from and submits a form on it to path. It sends the page's hidden fields,
// the fields in form, and all other fields as empty.
func (b *browser) post(from, path string, form url.Values) *http.Response {
	b.t.Helper()
	page := b.page(from)
	token, found := hidden(page, "csrf")
	if !found {
		b.t.Fatalf("%s has no form", from)
	}
	form.Set("csrf", token)
	if name, found := hidden(page, "form"); found {
		form.Set("form", name)
	}
	for _, control := range alwaysSent.FindAllStringSubmatch(page, -1) {
		if !form.Has(control[1]) {
			form.Set(control[1], "")
		}
	}
	if strings.Contains(page, `name="client-type"`) && !form.Has("client-type") {
		form.Set("client-type", "confidential")
	}
	return b.bare(path, form)
}

// alwaysSent matches the controls that browsers submit even if they are empty.
var alwaysSent = regexp.MustCompile(`<(?:textarea|input) id="[^"]+" name="([^"]+)" (?:rows|type="(?:text|email|url|date)")`)

// hidden returns the value of the first hidden field with the given name.
func hidden(page, name string) (value string, found bool) {
	_, after, found := strings.Cut(page, `<input type="hidden" name="`+name+`" value="`)
	value, _, _ = strings.Cut(after, `"`)
	return value, found
}

// bare submits a form without adding any fields.
func (b *browser) bare(path string, form url.Values) *http.Response {
	b.t.Helper()
	return b.form(path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

func (b *browser) form(path, mediaType string, sent io.Reader) *http.Response {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodPost, consoleURL+path, sent)
	r.Header.Set("Content-Type", mediaType)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.send(r)
}

// upload submits a form with a logo of the given size in bytes.
func (b *browser) upload(path string, form url.Values, logo int) *http.Response {
	b.t.Helper()
	var sent bytes.Buffer
	w := multipart.NewWriter(&sent)
	for name, values := range form {
		for _, value := range values {
			_ = w.WriteField(name, value) // writes to a buffer never fail
		}
	}
	file, _ := w.CreateFormFile("logo", "logo.png")
	_, _ = file.Write(make([]byte, logo))
	_ = w.Close()
	return b.form(path, w.FormDataContentType(), &sent)
}

// leads checks that a response redirects to the given location.
func leads(t *testing.T, res *http.Response, to string) {
	t.Helper()
	if got := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || got != to {
		t.Errorf("status %d, Location %q, want %q", res.StatusCode, got, to)
	}
}

func body(t *testing.T, res *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// wantAll checks that a page contains all of the strings.
func wantAll(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not contain %q", text)
		}
	}
}

// wantNone checks that a page contains none of the strings.
func wantNone(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page contains %q", text)
		}
	}
}
