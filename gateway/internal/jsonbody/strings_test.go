package jsonbody_test

import (
	"maps"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/jsonbody"
)

func TestStringsGivesTheKnownKeysOfAnObject(t *testing.T) {
	got, err := jsonbody.Strings([]byte(` {"b":"\u0644ä","x":[1,{"a":"no"}],"a":"1"} `), "a", "b")
	if err != nil || !maps.Equal(got, map[string]string{"a": "1", "b": "لä"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestStringsRefusesWhatIsNotExactlyThatAndNamesIt(t *testing.T) {
	for body, want := range map[string]string{
		``:                      "body: must not be empty",
		`[]`:                    "body: must be an object",
		`"a"`:                   "body: must be an object",
		`{`:                     "body: is not well-formed JSON",
		`{"a":"1"}x`:            "body: is not well-formed JSON",
		`{}`:                    "a: is required",
		`{"b":"1"}`:             "a: is required",
		`{"a":1}`:               "a: must be a string, not a number",
		`{"a":null}`:            "a: must be a string, not null",
		`{"a":["x"]}`:           "a: must be a string, not an array",
		`{"a":""}`:              "a: must not be empty",
		`{"a":"1","a":"1"}`:     "a: must not be there twice",
		`{"x":1,"x":2,"a":"1"}`: "x: must not be there twice",
		`{"a":"x\u0000"}`:       "a: must hold no NUL character",
		`{"a":"\ud800"}`:        "a: must hold no half of a surrogate pair",
		"{\"a\":\"\xff\"}":      "a: must be valid UTF-8",
		`{"a":"` + strings.Repeat("x", 4097) + `"}`: "a: must be at most 4096 bytes",
	} {
		if got, err := jsonbody.Strings([]byte(body), "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, %v; want %q", body, got, err, want)
		}
	}
}
