package jsonbody_test

import (
	"maps"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/jsonbody"
)

func TestStringsReturnsKnownKeys(t *testing.T) {
	longest := strings.Repeat("x", 4096)
	got, err := jsonbody.Strings([]byte(` {"b":"\u0644ä","x":[1,{"a":"no"}],"a":"`+longest+`"} `), "a", "b")
	if err != nil || !maps.Equal(got, map[string]string{"a": longest, "b": "لä"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestStringsRejectsOtherValues(t *testing.T) {
	for body, want := range map[string]string{
		``:                  "body: must not be empty",
		`[]`:                "body: must be an object",
		`{"a":"1"}x`:        "body: is not well-formed JSON",
		`{}`:                "a: is required",
		`{"a":1}`:           "a: must be a string, not a number",
		`{"a":null}`:        "a: must be a string, not null",
		`{"a":""}`:          "a: must not be empty",
		`{"a":"1","a":"1"}`: "a: must not be there twice",
		`{"a":"` + strings.Repeat("x", 4097) + `"}`: "a: must be at most 4096 bytes",
	} {
		if got, err := jsonbody.Strings([]byte(body), "a"); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, %v; want %q", body, got, err, want)
		}
	}
}
