package pages

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

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// behaviour: profiles#import
func TestFilesThatAreReadAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	turns := newTurns()
	end, ok := turns.begin("usr_1")
	if _, again := turns.begin("usr_1"); !ok || again {
		t.Errorf("a person's first %v, the second %v", ok, again)
	}
	if other, ok := turns.begin("usr_2"); ok {
		other()
	} else {
		t.Error("another person waits")
	}
	end()
	if _, ok := turns.begin("usr_1"); !ok {
		t.Error("the turn of a person has not ended")
	}
	var ends []func()
	for range mostImports {
		end, ok := turns.take()
		if !ok {
			t.Fatalf("%d imports are read at once", len(ends))
		}
		ends = append(ends, end)
	}
	if _, ok := turns.take(); ok {
		t.Error("one more than may be read is read")
	}
	ends[0]()
	if _, ok := turns.take(); !ok {
		t.Error("the place of an import has not ended")
	}
}

// slow is a browser that takes the answer when the test lets it.
type slow struct {
	http.ResponseWriter

	asked, take chan struct{}
}

func (s slow) Write(b []byte) (int, error) {
	s.asked <- struct{}{}
	<-s.take
	return s.ResponseWriter.Write(b)
}

func TestATurnLastsUntilTheAnswerIsTaken(t *testing.T) {
	t.Parallel()
	v := editing(t)
	file := []byte(`{"basics": {"label": "Programmer"}}`)
	first, asked, take := *v, make(chan struct{}, 1000), make(chan struct{})
	first.cookies = maps.Clone(v.cookies)
	first.through = func(w http.ResponseWriter) http.ResponseWriter { return slow{w, asked, take} }
	done := make(chan response)
	go func() { done <- first.upload("/cvs/import", "file", file) }()
	<-asked
	for path, field := range map[string]string{"/cvs/import": "file", "/profile/photo": "photo"} {
		if got := v.upload(path, field, file); got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s while the answer is not taken: %d", path, got.StatusCode)
		}
	}
	close(take)
	<-done
	if got := v.upload("/cvs/import", "file", file); got.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %d", got.StatusCode)
	}
}

func TestAPanicKeepsNoPlaceOfAnImport(t *testing.T) {
	t.Parallel()
	v := editing(t)
	upload := func() response { return v.upload("/cvs/import", "file", []byte(`{"basics": {"label": "Programmer"}}`)) }
	v.backend.beforeCreate = func() { panic(http.ErrAbortHandler) }
	for range mostImports {
		func() {
			defer func() { _ = recover() }()
			upload()
		}()
	}
	v.backend.beforeCreate = func() {}
	if got := upload(); got.StatusCode != http.StatusOK {
		t.Errorf("after %d panics: %d", mostImports, got.StatusCode)
	}
}

// A page of 120 MB, of which each holds as much memory until it is read, came of such a file.
func TestAPageIsBoundedWhateverAFileHolds(t *testing.T) {
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
		got := editing(t).upload("/cvs/import", "file", []byte(c.file))
		if got.StatusCode != c.status || !strings.Contains(got.text(), c.shows) {
			t.Errorf("%s: %d, without %q", name, got.StatusCode, c.shows)
		}
		if len(got.body) > 8<<20 {
			t.Errorf("%s: a page of %d bytes", name, len(got.body))
		}
	}
}

// Package net/http reads at most 10,000 fields and 1,000 parts of a form; both are cheap to send.
func TestAFormOfVeryManyFieldsOrPartsIsRefused(t *testing.T) {
	t.Parallel()
	v := editing(t)
	token := formToken(sessionForms, v.session())
	fields := url.Values{"csrf": {token}, "name": {"Layla"}}
	for i := range 20_000 {
		fields.Set(strconv.Itoa(i), "")
	}
	if got := v.send(http.MethodPost, "/profile", fields); got.StatusCode != http.StatusBadRequest {
		t.Errorf("fields: %d", got.StatusCode)
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("csrf", token) // writes to memory do not fail
	for range 5_000 {
		_ = w.WriteField("x", "")
	}
	_ = w.Close()
	got := v.send(http.MethodPost, "/cvs/import", url.Values{}, func(r *http.Request) {
		r.Header.Set("Content-Type", w.FormDataContentType())
		r.Body = io.NopCloser(&body)
	})
	if got.StatusCode != http.StatusBadRequest {
		t.Errorf("parts: %d", got.StatusCode)
	}
}

func TestAFormWithTooManyEntriesIsRefused(t *testing.T) {
	t.Parallel()
	v := editing(t)
	first := map[string]string{
		"experiences": "title", "educations": "school", "skill_groups": "category", "certifications": "name", "projects": "title",
		"highlights": "title", "socials": "platform",
	}
	for entries, want := range map[int]int{140: http.StatusOK, 680: http.StatusRequestEntityTooLarge} {
		form := url.Values{"csrf": {formToken(sessionForms, v.session())}, "do": {"add projects"}}
		for list := range first {
			for i := range entries {
				form.Add(list, fmt.Sprint(i))
				form.Set(fmt.Sprintf("%s.%d.%s", list, i, first[list]), "x")
			}
		}
		for _, path := range []string{"/profile", "/cvs/new"} {
			got := v.send(http.MethodPost, path, form)
			if got.StatusCode != want || want != http.StatusOK && len(got.body) > 32<<10 {
				t.Errorf("%d entries in each list at %s: %d, %d bytes", entries, path, got.StatusCode, len(got.body))
			}
		}
	}
}

func TestAFileThatWaitsForAnotherIsRefusedOnTheForm(t *testing.T) {
	t.Parallel()
	v := editing(t)
	inside, goOn := make(chan struct{}), make(chan struct{})
	v.backend.beforeCreate = sync.OnceFunc(func() { close(inside); <-goOn })
	done := make(chan response)
	first := *v
	first.cookies = maps.Clone(v.cookies)
	go func() {
		done <- first.upload("/cvs/import", "file", []byte(`{"basics": {"label": "Programmer"}}`))
	}()
	<-inside
	got := v.upload("/cvs/import", "file", []byte(`{}`))
	if got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" || !strings.Contains(got.text(), "Another file of yours is being read") {
		t.Errorf("%d, Retry-After %q: %s", got.StatusCode, got.Header.Get("Retry-After"), got.text())
	}
	close(goOn)
	if got := <-done; got.StatusCode != http.StatusOK {
		t.Errorf("the first: %d", got.StatusCode)
	}
	if got := v.upload("/cvs/import", "file", []byte(`{"basics": {"label": "Programmer"}}`)); got.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %d %s", got.StatusCode, got.text())
	}
}

func TestWhoHasTooManyCVsIsToldOnTheFormWhichKeepsWhatItHolds(t *testing.T) {
	t.Parallel()
	v := editing(t)
	id := v.backend.addOwn("For designers", &candidatev1.CvContent{Summary: "I draw."})
	imported := v.upload("/cvs/import", "file", []byte(`{"basics": {"label": "Programmer", "summary": "I write."}}`)).fields()
	v.backend.full = true
	for name, c := range map[string]struct {
		path, field, want string
		form              url.Values
	}{
		"a copy":           {"/cvs/new", "title", "Copied", url.Values{"title": {"Copied"}, "from": {id}}},
		"an import":        {"/cvs/new", "summary", "I write.", imported},
		"another main one": {"/cvs/" + id + "/main", "kept_title", "Kept", url.Values{"kept_title": {"Kept"}}},
	} {
		got := v.post(c.path, c.form)
		if got.StatusCode != http.StatusConflict || !strings.Contains(got.text(), "the maximum number of CVs") || !strings.Contains(got.body, `<a href="/cvs" target="_blank"`) {
			t.Errorf("%s: %d %s", name, got.StatusCode, got.text())
		}
		if !strings.Contains(got.body, `href="#editor"`) || !strings.Contains(got.body, `id="editor"`) {
			t.Errorf("%s: the fault leads nowhere", name)
		}
		if kept := got.fields().Get(c.field); kept != c.want {
			t.Errorf("%s: the form holds %q", name, kept)
		}
	}
}
