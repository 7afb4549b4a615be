package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/world"
)

// This file makes faulty bodies out of good ones: for every field of a body each
// fault that its type can have, with the path that the refusal must name.

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
	// path in the body, for example "questions[0].prompt".
	path string
	kind kind
	// max is the longest that a text, or a text of a list, may be; no limit if 0.
	max int
	// items is how many a list may have.
	items    int
	required bool
	// clears says that null is taken.
	clears bool
}

// fault is a body that must be refused, naming a path.
type fault struct{ what, body, path string }

// hole stands for a value in a body that is not JSON yet.
const hole = "@@hole@@"

// put is the body with raw JSON, or what is none, at a path. An empty raw removes
// the key.
func put(t testing.TB, body world.Fields, path, raw string) string {
	t.Helper()
	root := clone(t, body)
	holder, key := locate(t, root, path)
	switch holder := holder.(type) {
	case map[string]any:
		if holder[key] = hole; raw == "" {
			delete(holder, key)
		}
	case []any:
		holder[must(strconv.Atoi(key))(t)] = hole
	}
	return strings.Replace(string(must(json.Marshal(root))(t)), `"`+hole+`"`, raw, 1)
}

func clone(t testing.TB, body world.Fields) map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(must(json.Marshal(body))(t), &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// steps of a path: "questions[0].prompt" is questions, 0, prompt.
func steps(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
}

// locate finds what holds the last step of a path.
func locate(t testing.TB, root any, path string) (any, string) {
	t.Helper()
	all := steps(path)
	for _, step := range all[:len(all)-1] {
		switch holder := root.(type) {
		case map[string]any:
			root = holder[step]
		case []any:
			root = holder[must(strconv.Atoi(step))(t)]
		}
	}
	if root == nil {
		t.Fatalf("the good body has no %s", path)
	}
	return root, all[len(all)-1]
}

// wrongTypes are values that a kind does not take.
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

// badTexts are strings that are none of ours (decision 4).
var badTexts = map[string]string{
	"NUL": `"a\u0000b"`, "a raw NUL": "\"a\x00b\"", "invalid UTF-8": "\"a\xffb\"", "an overlong form": "\"\xc0\xaf\"",
	"a lone surrogate": `"a\ud800b"`, "a surrogate in UTF-8": "\"\xed\xa0\x80\"",
}

// faults are all that a field can have.
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
	if !f.clears {
		add("null", "null", f.path)
	}
	holder, key := locate(t, clone(t, good), f.path)
	if known, ok := holder.(map[string]any); ok && known[key] != nil {
		value := string(must(json.Marshal(known[key]))(t))
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

// quoted is a JSON string of n characters that are more bytes.
func quoted(n int) string { return `"` + strings.Repeat("ن", n) + `"` }

// malformed are bodies that are no JSON object at all.
var malformed = map[string]string{
	"nothing": "", "space": "  ", "cut off": `{"name":"a`, "an open object": "{", "two objects": `{}{}`, "a list": "[]", "null": "null",
	"a number": "7", "a string": `"{}"`, "single quotes": `{'name':'a'}`, "a comment": `{/**/}`, "a comma too many": `{"name":"a",}`,
	"a bare name": `{name:"a"}`, "NaN": `{"name":NaN}`, "a control character": "{\"name\":\"a\nb\"}", "a bad escape": `{"name":"\x"}`,
	"garbage after": `{} x`, "a NUL after": "{}\x00", "invalid UTF-8": "\xff\xfe", "a form": "name=a",
	"depth": nested("[", "]", 200_000), "deep objects": strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000),
	"a NUL as a key": `{"a\u0000b":1}`, "an unknown key twice": `{"zzz":1,"zzz":1}`, "a lone surrogate as a key": `{"\udc00":1}`,
}

// atLimit is the body with a field at its longest, in characters that are more
// than a byte each.
func (f field) atLimit(t testing.TB, good world.Fields) string {
	t.Helper()
	if f.kind == texts {
		return put(t, good, f.path, `["a",`+quoted(f.max)+`]`)
	}
	return put(t, good, f.path, quoted(f.max))
}

// under are the fields, below the path of an object or an item.
func under(prefix string, fields ...field) []field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].path = prefix + out[i].path
	}
	return out
}

// sections is a body cut to some of its keys.
func sections(body world.Fields, keys ...string) world.Fields {
	out := maps.Clone(body)
	for k := range body {
		if !slices.Contains(keys, k) {
			delete(out, k)
		}
	}
	return out
}

func (f fault) String() string { return fmt.Sprintf("%s (%.200s)", f.what, f.body) }
