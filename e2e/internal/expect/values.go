package expect

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"
	"time"
)

// Keys asserts that an object has exactly the wanted keys.
func Keys(t testing.TB, what string, got map[string]any, want ...string) {
	t.Helper()
	have := slices.Sorted(maps.Keys(got))
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("%s has keys %v, want exactly %v", what, have, want)
	}
}

// At follows keys into nested objects and returns the value found, or nil if there is none.
func At(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

// But returns a copy of want with some values changed.
func But(want map[string]any, changes map[string]any) map[string]any {
	out := maps.Clone(want)
	maps.Copy(out, changes)
	return out
}

// Matcher is a placeholder in a wanted object for a value that the test cannot know in advance. It
// returns an error that describes why a value does not match.
type Matcher func(any) error

var timestampForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

// Timestamp matches a timestamp in UTC with three decimals.
var Timestamp Matcher = func(v any) error {
	if s, ok := v.(string); !ok || !timestampForm.MatchString(s) {
		return fmt.Errorf("%v is not a UTC timestamp with three decimals", v)
	}
	return nil
}

// Identifier matches any non-empty string.
var Identifier Matcher = func(v any) error {
	if s, ok := v.(string); !ok || s == "" {
		return fmt.Errorf("%v is not an identifier", v)
	}
	return nil
}

// Number matches a JSON number by its value.
func Number(want float64) Matcher {
	return func(v any) error {
		n, _ := v.(json.Number)
		if f, err := n.Float64(); err != nil || f != want {
			return fmt.Errorf("%v, want the number %v", v, want)
		}
		return nil
	}
}

// Instant parses a timestamp of a response.
func Instant(t testing.TB, v any) time.Time {
	t.Helper()
	if err := Timestamp(v); err != nil {
		t.Fatal(err)
	}
	return Must(time.Parse(time.RFC3339Nano, v.(string)))(t)
}

// Matches asserts that got equals want, with the same keys, values and nulls. A Matcher in want checks
// the value at its position.
func Matches(t testing.TB, path string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case Matcher:
		if err := want(got); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: %v, want an object", path, got)
			return
		}
		Keys(t, path, have, slices.Collect(maps.Keys(want))...)
		for k := range want {
			Matches(t, path+"."+k, want[k], have[k])
		}
	case []any:
		have, ok := got.([]any)
		if !ok || len(have) != len(want) {
			t.Errorf("%s: %v, want a list of %d", path, got, len(want))
			return
		}
		for i := range want {
			Matches(t, fmt.Sprintf("%s[%d]", path, i), want[i], have[i])
		}
	default:
		if want != got {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
