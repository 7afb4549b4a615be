package profile_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vitae.internal/gateway/internal/pages"
	"vitae.internal/gateway/internal/pages/pagestest"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// slow is a browser that does not receive its response until the test lets it.
type slow struct {
	http.ResponseWriter

	asked, take chan struct{}
}

func (s slow) Write(b []byte) (int, error) {
	s.asked <- struct{}{}
	<-s.take
	return s.ResponseWriter.Write(b)
}

func TestTurnLastsUntilResponseIsSent(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	file := []byte(`{"basics": {"label": "Programmer"}}`)
	first, asked, take := *v, make(chan struct{}, 1000), make(chan struct{})
	first.Cookies = maps.Clone(v.Cookies)
	first.Through = func(w http.ResponseWriter) http.ResponseWriter { return slow{w, asked, take} }
	done := make(chan pagestest.Response)
	go func() { done <- first.Upload("/cvs/import", "file", file) }()
	<-asked
	for path, field := range map[string]string{"/cvs/import": "file", "/profile/photo": "photo"} {
		if got := v.Upload(path, field, file); got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s while the response is being sent: status %d", path, got.StatusCode)
		}
	}
	close(take)
	<-done
	if got := v.Upload("/cvs/import", "file", file); got.StatusCode != http.StatusOK {
		t.Errorf("after the response: status %d", got.StatusCode)
	}
}

// The handler reads the whole body. Otherwise, a browser that is still sending would see a connection reset.
func TestUploadWithoutSessionIsDiscarded(t *testing.T) {
	t.Parallel()
	v, charges := pagestest.Visit(t), 0
	v.Pages = pagestest.NewPages(t, func(c *pages.Config) {
		c.Page = func(*http.Request) error {
			charges++
			return nil
		}
	})
	v.SignIn()
	live := v.Cookies
	for path, field := range map[string]string{"/cvs/import": "file", "/profile/photo": "photo"} {
		v.Cookies = maps.Clone(live)
		charges = 0
		if got := v.Upload(path, field, []byte(pagestest.NoFile)); got.StatusCode != http.StatusUnprocessableEntity || charges != 1 {
			t.Errorf("%s with a session: status %d, charged %d times", path, got.StatusCode, charges)
		}
		v.Cookies["__Host-vitae_session"] = &http.Cookie{Name: "__Host-vitae_session", Value: "ended"}
		body := strings.NewReader(strings.Repeat("no form", 1<<20))
		got := v.Send(http.MethodPost, path, url.Values{}, func(r *http.Request) {
			r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
			r.Body, r.ContentLength = io.NopCloser(body), int64(body.Len())
		})
		to := "/sign-in?" + url.Values{"return": {path}}.Encode()
		if got.Header.Get("Location") != to || body.Len() != 0 {
			t.Errorf("%s without a session: status %d, redirect to %q, %d bytes unread", path, got.StatusCode, got.Header.Get("Location"), body.Len())
		}
	}
}

func TestPanicReleasesImportPlace(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	upload := func() pagestest.Response {
		return v.Upload("/cvs/import", "file", []byte(`{"basics": {"label": "Programmer"}}`))
	}
	v.Backend.BeforeCreate = func() { panic(http.ErrAbortHandler) }
	for range 4 {
		func() {
			defer func() { _ = recover() }()
			upload()
		}()
	}
	v.Backend.BeforeCreate = func() {}
	if got := upload(); got.StatusCode != http.StatusOK {
		t.Errorf("after %d panics: status %d", 4, got.StatusCode)
	}
}

// Such files used to produce pages of 120 MB, each of which was held in memory until the browser had
// received it.
func TestSizeOfImportPageIsLimited(t *testing.T) {
	t.Parallel()
	repeated := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for name, c := range map[string]struct {
		file   string
		status int
		shows  string
	}{
		"long paths of many texts": {
			`{"basics":{"name":"A"},"work":[{"name":"X","position":"Y"}],"` + strings.Repeat(`\"`, 490) + `":[` + repeated(48_000, `"a"`) + `]}`,
			http.StatusOK, "Further texts not imported: 47800.",
		},
		"one long text":      {`{"work":[{"name":"X","position":"Y"}],"x":"` + strings.Repeat("' ", 450_000) + `"}`, http.StatusOK, "Further texts not imported: 1."},
		"a photo":            {`{"work":[{"name":"X","position":"Y"}],"image":"data:image/png;base64,` + strings.Repeat("A", 900_000) + `"}`, http.StatusOK, "data:image/png;base64,AAAA"},
		"many empty entries": {`{"work":[` + repeated(24_000, `{"a":1}`) + `]}`, http.StatusUnprocessableEntity, "more than 1,000 positions"},
		"many links":         {`{"basics":{"profiles":[` + repeated(13_000, `{"network":"x","url":"a"}`) + `]}}`, http.StatusUnprocessableEntity, "more than 1,000 positions"},
		"many entries":       {`{"work":[` + repeated(1_000, `{"name":"a","position":"b"}`) + `]}`, http.StatusOK, "Everything was read"},
	} {
		got := pagestest.Editing(t).Upload("/cvs/import", "file", []byte(c.file))
		if got.StatusCode != c.status || !strings.Contains(got.Text(), c.shows) {
			t.Errorf("%s: status %d, or %q is missing", name, got.StatusCode, c.shows)
		}
		if len(got.Body) > 8<<20 {
			t.Errorf("%s: the page has %d bytes", name, len(got.Body))
		}
	}
}

// Package net/http reads at most 10,000 fields and 1,000 parts of a form. Large numbers of both are cheap to
// send.
func TestFormsWithTooManyFieldsAreRejected(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	token := v.FormToken()
	fields := url.Values{"csrf": {token}, "name": {"Layla"}}
	for i := range 20_000 {
		fields.Set(strconv.Itoa(i), "")
	}
	if got := v.Send(http.MethodPost, "/profile", fields); got.StatusCode != http.StatusBadRequest {
		t.Errorf("too many fields: status %d", got.StatusCode)
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("csrf", token) // writing to memory does not fail
	for range 5_000 {
		_ = w.WriteField("x", "")
	}
	_ = w.Close()
	got := v.Send(http.MethodPost, "/cvs/import", url.Values{}, func(r *http.Request) {
		r.Header.Set("Content-Type", w.FormDataContentType())
		r.Body = io.NopCloser(&body)
	})
	if got.StatusCode != http.StatusBadRequest {
		t.Errorf("too many parts: status %d", got.StatusCode)
	}
}

func TestFormsWithTooManyEntriesAreRejected(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	first := map[string]string{
		"experiences": "title", "educations": "school", "skill_groups": "category", "certifications": "name", "projects": "title",
		"highlights": "title", "socials": "platform",
	}
	for entries, want := range map[int]int{140: http.StatusOK, 680: http.StatusRequestEntityTooLarge} {
		form := url.Values{"csrf": {v.FormToken()}, "do": {"add projects"}}
		for list := range first {
			for i := range entries {
				form.Add(list, fmt.Sprint(i))
				form.Set(fmt.Sprintf("%s.%d.%s", list, i, first[list]), "x")
			}
		}
		for _, path := range []string{"/profile", "/cvs/new"} {
			got := v.Send(http.MethodPost, path, form)
			if got.StatusCode != want || want != http.StatusOK && len(got.Body) > 32<<10 {
				t.Errorf("%d entries in each list at %s: status %d, %d bytes", entries, path, got.StatusCode, len(got.Body))
			}
		}
	}
}

func TestSecondFileOfPersonIsRejected(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	inside, goOn := make(chan struct{}), make(chan struct{})
	v.Backend.BeforeCreate = sync.OnceFunc(func() { close(inside); <-goOn })
	done := make(chan pagestest.Response)
	first := *v
	first.Cookies = maps.Clone(v.Cookies)
	go func() {
		done <- first.Upload("/cvs/import", "file", []byte(`{"basics": {"label": "Programmer"}}`))
	}()
	<-inside
	got := v.Upload("/cvs/import", "file", []byte(`{}`))
	if got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" || !strings.Contains(got.Text(), "Another file of yours is being read") {
		t.Errorf("status %d, Retry-After %q: %s", got.StatusCode, got.Header.Get("Retry-After"), got.Text())
	}
	close(goOn)
	if got := <-done; got.StatusCode != http.StatusOK {
		t.Errorf("first file: status %d", got.StatusCode)
	}
	if got := v.Upload("/cvs/import", "file", []byte(`{"basics": {"label": "Programmer"}}`)); got.StatusCode != http.StatusOK {
		t.Errorf("after the first file: status %d %s", got.StatusCode, got.Text())
	}
}

func TestFormIsKeptAtMaximumNumberOfCVs(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	id := v.Backend.AddOwn("For designers", &candidatev1.CvContent{Summary: "I draw."})
	imported := fields(v.Upload("/cvs/import", "file", []byte(`{"basics": {"label": "Programmer", "summary": "I write."}}`)))
	v.Backend.Full = true
	for name, c := range map[string]struct {
		path, field, want string
		form              url.Values
	}{
		"a copy":           {"/cvs/new", "title", "Copied", url.Values{"title": {"Copied"}, "from": {id}}},
		"an import":        {"/cvs/new", "summary", "I write.", imported},
		"another main one": {"/cvs/" + id + "/main", "kept_title", "Kept", url.Values{"kept_title": {"Kept"}}},
	} {
		got := v.Post(c.path, c.form)
		if got.StatusCode != http.StatusConflict || !strings.Contains(got.Text(), "the maximum number of CVs") || !strings.Contains(got.Body, `<a href="/cvs" target="_blank"`) {
			t.Errorf("%s: status %d: %s", name, got.StatusCode, got.Text())
		}
		if !strings.Contains(got.Body, `href="#editor"`) || !strings.Contains(got.Body, `id="editor"`) {
			t.Errorf("%s: the fault does not link to a control", name)
		}
		if kept := fields(got).Get(c.field); kept != c.want {
			t.Errorf("%s: the form contains %q", name, kept)
		}
	}
}
