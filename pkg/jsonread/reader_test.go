package jsonread

import (
	"errors"
	"strings"
	"testing"
)

func TestStrictReportsPaths(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":[1,{"b":1,"\u0062":2}]}`: "a[1].b: must not be there twice",
		"{\"a\":\"\xff\"}":             "a: must be valid UTF-8",
		"{\"\xff\":1}":                 ": a key in it must be valid UTF-8",
		`{"a":"\ud800"}`:               "a: must hold no half of a surrogate pair",
		`{"\udc00":1}`:                 ": a key in it must hold no half of a surrogate pair",
		`{"a":"\u0000"}`:               "a: must hold no NUL character",
		`{"\u0000":1}`:                 ": a key in it must hold no NUL character",
		`{"a":[1e400]}`:                "a[0]: is out of range",
		`{"a b":{}`:                    ": is not well-formed JSON: it ends too early",
		`{"a b":x}`:                    `["a b"]: is not well-formed JSON at byte 7`,
		`[[0 1]]`:                      "[0]: is not well-formed JSON at byte 4",
		`{} {}`:                        ": is not well-formed JSON at byte 3",
		`[[[]]]`:                       "[0][0]: is nested too deeply: at most 2 levels are read",
		``:                             ": is not well-formed JSON: it ends too early",
	} {
		depth := 9
		if strings.HasPrefix(text, "[[[") {
			depth = 2
		}
		r := Strict([]byte(text), depth)
		err := r.Skip()
		if err == nil {
			err = r.End()
		}
		if fault := (*Fault)(nil); !errors.As(err, &fault) || fault.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestWrongKindRequiresWholeLiteral(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"null":     ": must be an object, not null",
		"true ":    ": must be an object, not a boolean",
		"-1.5e3":   ": must be an object, not a number",
		"not json": ": is not well-formed JSON at byte 1",
		"nope":     ": is not well-formed JSON at byte 1",
		"truth":    ": is not well-formed JSON at byte 3",
		"n":        ": is not well-formed JSON: it ends too early",
		"fals":     ": is not well-formed JSON: it ends too early",
		"nullify":  ": is not well-formed JSON at byte 4",
		"2030-01":  ": is not well-formed JSON at byte 4",
		"hello":    ": is not well-formed JSON at byte 0",
	} {
		if err := Strict([]byte(text), 1).WrongKind(Object); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestLenientReplacesInvalidCharacters(t *testing.T) {
	t.Parallel()
	r := Lenient([]byte("{\"a\":\"\\ud800\\u0000\xff\",\"a\":\"\"}"), 1)
	var got []string
	err := r.Object(func(key string) error {
		text, err := r.Text()
		got = append(got, key+"="+text)
		return err
	})
	if err != nil || strings.Join(got, " ") != "a=\ufffd\x00\ufffd a=" {
		t.Errorf("%q, %v", got, err)
	}
}
