package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bad is a value that a schema does not allow, or that is hard to read.
type Bad struct {
	// What is wrong with it, and at which place.
	What string
	// JSON is the text of the whole value. It need not be valid JSON.
	JSON string
}

// far exceeds every length that a schema permits.
const far = 70_000

// hole marks the position for raw text in a value.
const hole = "@@hole@@"

// BadJSON returns faulty values for a schema. Each is the good value with one change.
func BadJSON(s Schema, good any) []Bad {
	var out []Bad
	for _, text := range []string{"", "{", `"`, "null", "[]", "1", "nonsense", "\xff", "{}{}"} {
		out = append(out, Bad{fmt.Sprintf("%q for the whole", text), text})
	}
	spoil(s, good, "", func(what string, value any, raw string) {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // never: good was decoded from JSON
		}
		out = append(out, Bad{what, strings.Replace(string(text), `"`+hole+`"`, raw, 1)})
	})
	return out
}

// spoil calls give for every fault that each place in a good value may have. The arguments are
// the value with a hole at that place, and the raw text to insert.
func spoil(s Schema, good any, at string, give func(what string, value any, raw string)) {
	for _, raw := range faultsOf(s) {
		give(fmt.Sprintf("%s: %.40s", at, raw), hole, raw)
	}
	switch good := good.(type) {
	case map[string]any:
		properties := s.Get("properties")
		for _, key := range slices.Sorted(maps.Keys(good)) {
			with := func(value any) map[string]any {
				other := maps.Clone(good)
				other[key] = value
				return other
			}
			without := maps.Clone(good)
			delete(without, key)
			give(at+"."+key+" left out", without, "")
			give(at+"."+key+" twice", with(hole), fmt.Sprintf(`1,%q:2`, key))
			spoil(properties.Get(key), good[key], at+"."+key, func(what string, value any, raw string) { give(what, with(value), raw) })
		}
	case []any:
		if len(good) == 0 {
			return
		}
		spoil(s.Get("items"), good[0], at+"[0]", func(what string, value any, raw string) {
			give(what, append([]any{value}, good[1:]...), raw)
		})
		give(at+": many", hole, "["+strings.Repeat("0,", far)+"0]")
	}
}

// faultsOf are texts, valid JSON or not, that the schema does not allow or that are hard
// to read.
func faultsOf(s Schema) []string {
	out := []string{`""`, `"\u0000"`, "\"\xff\"", `"\ud800"`, `-1`, `0.5`, `1e400`, `99999999999999999999`, `true`, `null`, `[]`, `{}`, `[[[[[[[[]]]]]]]]`, `nonsense`}
	long := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	out = append(out, long(far))
	if n, ok := s.Number("maxLength"); ok {
		out = append(out, long(int(n)+1))
	}
	if n, ok := s.Number("maximum"); ok {
		out = append(out, fmt.Sprint(n+1))
	}
	if n, ok := s.Number("minimum"); ok {
		out = append(out, fmt.Sprint(n-1))
	}
	if _, ok := s.node["enum"]; ok {
		out = append(out, `"no such word"`)
	}
	return out
}

// BadText returns faulty values for a parameter of a path, a query, a form or a header.
func BadText(s Schema) []string {
	out := []string{"", " ", "x", "-1", "0", "0.5", "1e9", "99999999999999999999", "\x00", "\xff", "ä", "%", "a/b", "..", "'\";--", strings.Repeat("x", 5000)}
	if n, ok := s.Number("maximum"); ok {
		out = append(out, fmt.Sprint(n+1))
	}
	return out
}
