package partnerapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/world"
)

// kind is the JSON type of a field. From it follow the faults that the field can have.
type kind int

const (
	text kind = iota
	choice
	texts
	choices // a list of objects
	boolean
	decimal
	integer
	object
)

// field is a field of a body.
type field struct {
	// path of the field in the body, for example "questions[0].prompt".
	path string
	kind kind
	// max is the greatest length of a text, or of the texts of a list, in characters. 0 is
	// no limit.
	max int
	// items is the greatest length of a list.
	items    int
	required bool
	// nullable is true if null is accepted, because it clears the field or counts as
	// leaving it out.
	nullable bool
}

// fault is a body that must be refused with a message that names a path.
type fault struct{ what, body, path string }

// wrongTypes are values that a kind refuses.
var wrongTypes = map[kind][]string{
	text:    {`7`, `true`, `{}`, `[]`, `["a"]`},
	choice:  {`7`, `true`, `{}`, `[]`, `""`, `"bogus"`, `"unspecified"`, `" any"`},
	texts:   {`7`, `true`, `{}`, `"a"`},
	choices: {`7`, `true`, `{}`, `"a"`},
	boolean: {`"true"`, `1`, `0`, `{}`, `[]`},
	decimal: {`"1"`, `true`, `{}`, `[]`, `1e400`, `-1e400`},
	integer: {`"1"`, `true`, `{}`, `[]`, `1.5`, `2147483648`, `-2147483649`, `1e30`},
	object:  {`7`, `true`, `"a"`, `[]`, `[{}]`},
}

// badTexts are strings that no text may be (behaviour: requests#reading-a-body).
var badTexts = map[string]string{
	"NUL": `"a\u0000b"`, "a raw NUL": "\"a\x00b\"", "invalid UTF-8": "\"a\xffb\"", "an overlong form": "\"\xc0\xaf\"",
	"a lone surrogate": `"a\ud800b"`, "a surrogate in UTF-8": "\"\xed\xa0\x80\"",
}

// faults are the faults that a field can have, each as the good body with one change.
func (f field) faults(t testing.TB, good world.Fields) []fault {
	t.Helper()
	var out []fault
	add := func(what, raw, path string) {
		out = append(out, fault{f.path + " " + what, put(t, good, f.path, raw), path})
	}
	for _, raw := range wrongTypes[f.kind] {
		add("is "+raw, raw, f.path)
	}
	if f.required {
		add("missing", "", f.path)
	}
	if !f.nullable {
		add("null", "null", f.path)
	}
	holder, key := locate(t, clone(t, good), f.path)
	if known, ok := holder.(map[string]any); ok && known[key] != nil {
		value := string(expect.Must(json.Marshal(known[key]))(t))
		add("twice", value+`,"`+key+`":`+value, f.path)
		add("twice, once null", `null,"`+key+`":`+value, f.path)
	}
	switch f.kind {
	case text, choice:
		for what, raw := range badTexts {
			add("with "+what, raw, f.path)
		}
		add("deep", nested("[", "]", 100), f.path)
		if f.max > 0 {
			add("too long", quoted(f.max+1), f.path)
			add("much too long", quoted(200_000), f.path)
		}
	case texts:
		for _, raw := range wrongTypes[text] {
			add("with "+raw, `["a",`+raw+`]`, f.path+"[1]")
		}
		for what, raw := range badTexts {
			add("with "+what, `["a",`+raw+`]`, f.path+"[1]")
		}
		add("with null", `[null]`, f.path+"[0]")
		add("with a text too long", `["a","b",`+quoted(f.max+1)+`]`, f.path+"[2]")
		add("with too many", "["+strings.Repeat(`"a",`, f.items)+`"b"]`, f.path)
	case object:
		add("deep", nested("[", "]", 100), f.path)
	case choices:
		for _, raw := range wrongTypes[object] {
			add("with "+raw, `[`+raw+`]`, f.path+"[0]")
		}
		add("with null", `[null]`, f.path+"[0]")
	}
	return out
}

func nested(open, end string, depth int) string {
	return strings.Repeat(open, depth) + strings.Repeat(end, depth)
}

// quoted is a JSON string of n characters of two bytes each.
func quoted(n int) string { return `"` + strings.Repeat("ن", n) + `"` }

// malformed are bodies that are not a JSON object, or have faulty keys.
var malformed = map[string]string{
	"nothing": "", "space": "  ", "cut off": `{"name":"a`, "an open object": "{", "two objects": `{}{}`, "a list": "[]", "null": "null",
	"a number": "7", "a string": `"{}"`, "single quotes": `{'name':'a'}`, "a comment": `{/**/}`, "a comma too many": `{"name":"a",}`,
	"a bare name": `{name:"a"}`, "NaN": `{"name":NaN}`, "a control character": "{\"name\":\"a\nb\"}", "a bad escape": `{"name":"\x"}`,
	"garbage after": `{} x`, "a NUL after": "{}\x00", "invalid UTF-8": "\xff\xfe", "a form": "name=a",
	"depth": nested("[", "]", 200_000), "deep objects": strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000),
	"a NUL as a key": `{"a\u0000b":1}`, "an unknown key twice": `{"zzz":1,"zzz":1}`, "a lone surrogate as a key": `{"\udc00":1}`,
}

func (f fault) String() string { return fmt.Sprintf("%s (%.200s)", f.what, f.body) }
