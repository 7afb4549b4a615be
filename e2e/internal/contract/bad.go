package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bad is an invalid value for a schema, or a value that is hard to parse.
type Bad struct {
	// What describes the defect and its position.
	What string
	// JSON is the encoded value. It may be invalid JSON.
	JSON string
}

// tooLong exceeds every length limit of the schemas.
const tooLong = 70_000

// hole marks where raw JSON is inserted into an encoded value.
const hole = "@@hole@@"

// BadJSON returns invalid values for a schema: good with one change each, and values of other types.
func BadJSON(s Schema, good any) []Bad {
	var out []Bad
	for _, text := range []string{"", "{", `"`, "null", "[]", "1", "nonsense", "\xff", "{}{}"} {
		out = append(out, Bad{fmt.Sprintf("%q instead of the whole value", text), text})
	}
	spoil(s, good, "", func(what string, value any, raw string) {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // cannot happen: good was decoded from JSON
		}
		out = append(out, Bad{what, strings.Replace(string(text), `"`+hole+`"`, raw, 1)})
	})
	return out
}

// spoil calls give once for each defect at each position in a good value. The arguments of give are a
// description, the value with a hole at that position, and the raw JSON to insert.
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
			give(at+"."+key+" omitted", without, "")
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
		give(at+": many", hole, "["+strings.Repeat("0,", tooLong)+"0]")
	}
}

// faultsOf returns encoded values, valid JSON or not, that the schema does not allow or that are hard
// to parse.
func faultsOf(s Schema) []string {
	out := []string{`""`, `"\u0000"`, "\"\xff\"", `"\ud800"`, `-1`, `0.5`, `1e400`, `99999999999999999999`, `true`, `null`, `[]`, `{}`, `[[[[[[[[]]]]]]]]`, `nonsense`}
	long := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	out = append(out, long(tooLong))
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

// BadText returns invalid values for a path, query, form or header parameter.
func BadText(s Schema) []string {
	out := []string{"", " ", "x", "-1", "0", "0.5", "1e9", "99999999999999999999", "\x00", "\xff", "ä", "%", "a/b", "..", "'\";--", strings.Repeat("x", 5000)}
	if n, ok := s.Number("maximum"); ok {
		out = append(out, fmt.Sprint(n+1))
	}
	return out
}
