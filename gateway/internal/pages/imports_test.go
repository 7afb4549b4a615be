package pages

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// behaviour: profiles#import
func TestFilesThatAreReadAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	turns := newImports()
	end, refused := turns.begin("usr_1")
	if refused != "" {
		t.Fatal(refused)
	}
	if _, refused := turns.begin("usr_1"); refused != "cvimport.fault.own" {
		t.Errorf("a second one of a person: %q", refused)
	}
	ends := []func(){end}
	for i := range mostImports - 1 {
		end, refused := turns.begin(fmt.Sprintf("usr_other%d", i))
		if refused != "" {
			t.Fatalf("%d: %s", i, refused)
		}
		ends = append(ends, end)
	}
	if _, refused := turns.begin("usr_2"); refused != "cvimport.fault.busy" {
		t.Errorf("one more than may be read: %q", refused)
	}
	if _, refused := turns.begin("usr_1"); refused != "cvimport.fault.own" {
		t.Errorf("a second one of a person, when all turns are taken: %q", refused)
	}
	for _, end := range ends {
		end()
	}
	if end, refused := turns.begin("usr_1"); refused != "" {
		t.Errorf("afterwards: %q", refused)
	} else {
		end()
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
		if got.StatusCode != http.StatusConflict || !strings.Contains(got.text(), "as many CVs as you can have") || !strings.Contains(got.body, `<a href="/cvs" target="_blank"`) {
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
