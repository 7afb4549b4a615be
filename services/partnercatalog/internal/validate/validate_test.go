package validate_test

import (
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/partnercatalog/internal/validate"
)

func TestTheFirstBrokenRuleIsKeptWithItsField(t *testing.T) {
	f := validate.New(errs.Precondition)
	f.Text("a", "fine", 4)
	f.NotBlank("b", "fine")
	if err := f.Err(); err != nil {
		t.Fatalf("before any fault: %v", err)
	}
	f.Text("c", "too long", 4)
	f.NotBlank("d", "")
	e, ok := errs.As(f.Err())
	if !ok || e.Kind != errs.Precondition || e.Code != "PUBLIC_API_VALIDATION_ERROR" || e.Field() != "c" {
		t.Errorf("%+v", e)
	}
}

func TestTextIsWhatJSONAndPostgresCanHold(t *testing.T) {
	for s, rule := range map[string]string{
		"":                       "",
		strings.Repeat("é", 10):  "",
		strings.Repeat("é", 11):  "must be at most 10 characters",
		"a\xff":                  "must be valid UTF-8",
		"a\x00":                  "must not hold a NUL character",
		"\u200b\u0001\U0010ffff": "",
	} {
		f := validate.New(errs.Invalid)
		ok := f.Text("a", s, 10)
		got := ""
		if e, faulty := errs.As(f.Err()); faulty {
			got = e.Message
		}
		if ok != (rule == "") || got != rule {
			t.Errorf("%q: %t, %q, want %q", s, ok, got, rule)
		}
	}
}

func TestALineIsOneLineThatShowsWhatItIs(t *testing.T) {
	const control, direction = "must be a single line without control characters", "must not hold characters that override the direction of writing"
	for s, rule := range map[string]string{
		"": "", "Café شركة\u200f 1\u200e\u061c": "", "می\u200cخواهم 👩\u200d💻": "", strings.Repeat("é", 31): "must be at most 30 characters",
		"a\x00": "must not hold a NUL character", "a\nb": control, "a\r": control, "\ta": control, "a\x1b[1m": control, "a\x7f": control,
		"a\u0085": control, "a\u2028b": control, "a\u2029b": control, "a\u202ab": direction, "a\u202eb": direction, "\u2066a": direction, "a\u2069": direction,
		"\u2029\u202e": control, "\u2065\u206a": "",
	} {
		f := validate.New(errs.Invalid)
		ok := f.Line("a", s, 30)
		got := ""
		if e, faulty := errs.As(f.Err()); faulty {
			got = e.Message
		}
		if ok != (rule == "") || got != rule {
			t.Errorf("%q: %t, %q, want %q", s, ok, got, rule)
		}
	}
}

func TestBlankIsWhatShowsNothing(t *testing.T) {
	for _, s := range []string{"", " ", "\t\n\u00a0\u3000", "\u200b\u2060", "\u0001"} {
		if !validate.IsBlank(s) {
			t.Errorf("%q is not blank", s)
		}
	}
	for _, s := range []string{"a", " . ", "\x00", "\u200bب"} {
		if validate.IsBlank(s) {
			t.Errorf("%q is blank", s)
		}
	}
}
