package console

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// upload sends a form with a logo of so many bytes.
func (b *browser) upload(path string, form url.Values, logo int) *http.Response {
	b.t.Helper()
	var sent bytes.Buffer
	w := multipart.NewWriter(&sent)
	for name, values := range form {
		for _, value := range values {
			_ = w.WriteField(name, value) // a buffer takes everything
		}
	}
	file, _ := w.CreateFormFile("logo", "logo.png")
	_, _ = file.Write(make([]byte, logo))
	_ = w.Close()
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodPost, consoleURL+path, &sent)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.send(r)
}

// (behaviour: console#forms-of-the-console)
func TestALargeFormIsAnsweredOnTheForm(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	token, _ := hidden(body(t, b.get("/apps/app_1")), "csrf")
	form := func() url.Values {
		f := url.Values{"csrf": {token}, "name": {"Typed name"}, "client-type": {"confidential"}, formField: {"the name of a form"}}
		for _, name := range appDetails[1:] {
			f.Set(name, "")
		}
		return f
	}
	for _, path := range []string{"/apps/new", "/apps/app_1"} {
		res := b.upload(path, form(), 3<<20)
		if res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s with 3 MB: %d", path, res.StatusCode)
		}
		wantAll(t, body(t, res), `id="logo-fault">Choose a file of at most 1 MB.`, `value="Typed name"`)

		long := form()
		long.Set("description", strings.Repeat("x", 70<<10))
		for _, res := range []*http.Response{b.upload(path, form(), 11<<20), b.upload(path, long, 0)} {
			if res.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%s with too much: %d", path, res.StatusCode)
			}
			wantAll(t, body(t, res), `id="logo-fault">Nothing was saved: the form was too large`)
		}
	}

	res := b.bare("/team", url.Values{"csrf": {token}, "email": {strings.Repeat("x", 70<<10)}})
	if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/team" {
		t.Errorf("/team with too much: %d, to %q", res.StatusCode, res.Header.Get("Location"))
	}
	wantAll(t, body(t, b.get("/team")), `role="alert">Nothing was saved: the text was too long.`)
	if back.made != 0 || back.update != nil {
		t.Error("a refused form has changed something")
	}
}
