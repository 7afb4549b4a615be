package jsonbody

import (
	"maps"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func message(t *testing.T, err error) string {
	t.Helper()
	e, ok := errs.As(err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	return e.Message
}

func TestTruncatedBodyIsMalformed(t *testing.T) {
	create := form(t, jobs, "CreateJob")
	whole := inJob(t, `\ud83d\ude00`, `\u00e4`) // half a surrogate pair is a different error
	for end := 1; end < len(whole); end++ {
		body := whole[:end]
		if err := create.Decode([]byte(body), &partnercatalogv1.CreateJobRequest{}); err == nil || !strings.Contains(message(t, err), "is not well-formed JSON") {
			t.Fatalf("cut at byte %d, after %q: %v", end, body[max(0, end-20):], err)
		}
	}
	for _, body := range []string{`{"a":"`, `{"a":"x`, `{"a":"\n`, `{"a":"\u0041`, `{"a"`, `{"a":`, `{"a":-`, `{"a":1.`, `{"a":1e`, `{"a":1e-`, `{"a":1`, `{"a":[`, `{"a":[1,`, `{`, `{"`} {
		_, err := Strings([]byte(body))
		if got := message(t, err); !strings.HasSuffix(got, ": is not well-formed JSON: it ends too early") {
			t.Errorf("%s: %s", body, got)
		}
		if strings.HasPrefix(body, `{"a":"`) {
			if _, err := Strings([]byte(body), "a"); !strings.HasSuffix(message(t, err), ": it ends too early") {
				t.Errorf("%s, read with Strings: %v", body, err)
			}
		}
	}
}

func TestStringsReturnsNothingOnError(t *testing.T) {
	for _, body := range []string{``, `[]`, `{"a":"1"}`, `{"a":"1","b":""}`, `{"a":"1","b":"2"}x`} {
		if got, err := Strings([]byte(body), "a", "b"); got != nil || err == nil {
			t.Errorf("%s: %v, %v", body, got, err)
		}
	}
}

func TestStringsAcceptsLongestText(t *testing.T) {
	text := strings.Repeat("x", 4096)
	if got, err := Strings([]byte(`{"a":"`+text+`"}`), "a"); err != nil || got["a"] != text {
		t.Errorf("%d bytes, %v", len(got["a"]), err)
	}
}

func TestUnusualKeysAreQuotedInErrors(t *testing.T) {
	long := strings.Repeat("k", 64)
	for key, want := range map[string]string{
		"aZ09_-": "aZ09_-", "azAZ": "azAZ", "a b": `["a b"]`, "a/b": `["a/b"]`, "a:b": `["a:b"]`, "a@b": `["a@b"]`, "a[b": `["a[b"]`, "a`b": "[\"a`b\"]", "a{b": `["a{b"]`,
		long: long, long + "k": `["` + long + `…"]`, long[:63] + "ä": `["` + long[:63] + `…"]`,
	} {
		_, err := Strings([]byte(`{"o":{"` + key + `":1,"` + key + `":1}}`))
		place := "o." + want
		if strings.HasPrefix(want, "[") {
			place = "o" + want
		}
		if got := message(t, err); got != place+": must not be there twice" {
			t.Errorf("%q: %s", key, got)
		}
	}
}

func TestStringsReadsKnownKeys(t *testing.T) {
	got, err := Strings([]byte(` {"b":"\u0644ä","x":[1,{"a":"no"}],"a":"1"} `), "a", "b")
	if err != nil || !maps.Equal(got, map[string]string{"a": "1", "b": "لä"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestStringsErrorsNamePath(t *testing.T) {
	for body, want := range map[string]string{
		``:                      "body: must not be empty",
		`[]`:                    "body: must be an object, not an array",
		`{"a":"1"}x`:            "body: is not well-formed JSON at byte 9",
		`{"b":"1"}`:             "a: is required",
		`{"a":null}`:            "a: must be a string, not null",
		`{"a":""}`:              "a: must not be empty",
		`{"x":1,"x":2,"a":"1"}`: "x: must not be there twice",
		`{"a":"x\u0000"}`:       "a: must hold no NUL character",
		`{"a":"` + strings.Repeat("x", 4097) + `"}`: "a: must be at most 4096 bytes",
	} {
		if got, err := Strings([]byte(body), "a"); err == nil || message(t, err) != want {
			t.Errorf("%.40s: %v, %v; want %q", body, got, err, want)
		}
	}
}
