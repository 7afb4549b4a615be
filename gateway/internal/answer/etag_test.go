package answer

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

func TestIfNoneMatchIsParsed(t *testing.T) {
	for _, c := range []struct {
		lines []string
		any   bool
		tags  []string
	}{
		{nil, false, nil},
		{[]string{"*"}, true, nil},
		{[]string{" * "}, true, nil},
		{[]string{`"a"`}, false, []string{"a"}},
		{[]string{`W/"a"`}, false, []string{"a"}},
		{[]string{`"a", W/"b" ,"c"`}, false, []string{"a", "b", "c"}},
		{[]string{`"a"`, `"b"`}, false, []string{"a", "b"}},
		{[]string{`"a,b", ""`}, false, []string{"a,b", ""}},
		{[]string{`, ,"a"`}, false, []string{"a"}},
		{[]string{`a`}, false, nil},
		{[]string{`"a`}, false, nil},
		{[]string{`"a", b, "c"`}, false, []string{"a"}},
		{[]string{`w/"a"`}, false, nil},
		{[]string{`*, "a"`}, false, nil},
	} {
		got := ParseIfNoneMatch(c.lines)
		if got.Any != c.any || !slices.Equal(got.Opaque, c.tags) {
			t.Errorf("%q: got %+v", c.lines, got)
		}
	}
}

func FuzzIfNoneMatch(f *testing.F) {
	f.Add(`W/"a", "b"`)
	f.Add("*")
	f.Fuzz(func(t *testing.T, s string) {
		if got := ParseIfNoneMatch([]string{s}); len(got.Opaque) > maxEntityTags || got.Any && got.Opaque != nil {
			t.Errorf("%q: %+v", s, got)
		}
	})
}

func TestMatchingTagGets304(t *testing.T) {
	body, status := `{"data":1}`, http.StatusOK
	h := Conditional(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	ask := func(tag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	first := ask("")
	tag := first.Header().Get("ETag")
	if first.Code != 200 || first.Body.String() != body || len(tag) < 10 || tag[0] != '"' {
		t.Fatalf("first: %d %s ETag %s", first.Code, first.Body, tag)
	}
	for _, held := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
		w := ask(held)
		if w.Code != 304 || w.Body.Len() != 0 || w.Header().Get("ETag") != tag || w.Header().Get("Content-Type") != "" || w.Header().Get("Content-Length") != "" {
			t.Errorf("%s: %d, body %q, headers %v", held, w.Code, w.Body, w.Header())
		}
		if w.Header().Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: Cache-Control %q", held, w.Header().Get("Cache-Control"))
		}
	}
	body = `{"data":2}`
	if w := ask(tag); w.Code != 200 || w.Header().Get("ETag") == tag || w.Body.String() != body {
		t.Errorf("changed response: %d %s", w.Code, w.Body)
	}
	status = http.StatusForbidden
	if w := ask("*"); w.Code != 403 || w.Header().Get("ETag") != "" || w.Body.String() != body {
		t.Errorf("error response: %d %v", w.Code, w.Header())
	}
}
