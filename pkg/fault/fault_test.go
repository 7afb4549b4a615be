package fault_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

func TestOnlyFirstFaultPerFieldIsKept(t *testing.T) {
	f := fault.New(errs.Precondition, fault.CodeValidation)
	f.Text("a", "fine", 4)
	f.NotBlank("b", "fine")
	if err := f.Err(); err != nil {
		t.Fatalf("error without faults: %v", err)
	}
	f.Text("c", "too long", 4)
	f.NotBlank("d", "")
	f.Add("c", "must be something else")
	f.Count("e[0]", 3, 2)
	e, ok := errs.As(f.Err())
	if !ok || e.Kind != errs.Precondition || e.Code != "PUBLIC_API_VALIDATION_ERROR" || e.Message != "c: must be at most 4 characters" {
		t.Errorf("got error %+v", e)
	}
	want := []errs.Violation{{Field: "c", Description: "must be at most 4 characters"}, {Field: "d", Description: "must not be blank"},
		{Field: "e[0]", Description: "must have at most 2 items"}}
	if !slices.Equal(e.Violations, want) {
		t.Errorf("faults %+v, want %+v", e.Violations, want)
	}
	if !f.Has("c") || !f.Has("e") || f.Has("a") || f.Has("e[") {
		t.Error("Has is wrong for c, e, a or e[")
	}
}

func TestCoversIncludesNestedFields(t *testing.T) {
	f := fault.Validation()
	f.Add("content", "is required")
	f.Add("questions[1].options", "must have at most 100 items")
	for path, want := range map[string]bool{
		"content": true, "content.summary": true, "content.requirements[0]": true, "contents": false, "": false,
		"questions": false, "questions[1]": false, "questions[1].options[7]": true, "questions[1].prompt": false, "questions[10].options": false,
	} {
		if f.Covers(path) != want {
			t.Errorf("%q: covered %t, want %t", path, !want, want)
		}
	}
	var none *fault.List
	if none.Covers("content") || f.Count("benefits", 3, 2) || !f.Count("perks", 2, 2) {
		t.Error("a nil list covers a field, or Count returned a wrong result")
	}
}

func TestMergeReturnsOtherErrors(t *testing.T) {
	f := fault.Argument()
	f.Add("a", "first")
	other := fault.Argument()
	other.Add("a", "second")
	other.Add("b", "100%%")
	down := errors.New("down")
	if err := errors.Join(f.Merge(nil), f.Merge(other.Err())); err != nil {
		t.Error(err)
	}
	if err := f.Merge(down); !errors.Is(err, down) {
		t.Errorf("Merge returned %v, want the error itself", err)
	}
	e, _ := errs.As(f.Err())
	want := []errs.Violation{{Field: "a", Description: "first"}, {Field: "b", Description: "100%"}}
	if e == nil || !slices.Equal(e.Violations, want) {
		t.Errorf("got %+v, want faults %+v", e, want)
	}
}

func TestTextChecksEncodingAndLength(t *testing.T) {
	for s, rule := range map[string]string{
		"":                       "",
		strings.Repeat("é", 10):  "",
		strings.Repeat("é", 11):  "must be at most 10 characters",
		"a\xff":                  "must be valid UTF-8",
		"a\x00":                  "must not hold a NUL character",
		"\u200b\u0001\U0010ffff": "",
	} {
		f := fault.Validation()
		if ok, got := f.Text("a", s, 10), rules(f); ok != (rule == "") || got != rule {
			t.Errorf("%q: ok %t, fault %q, want fault %q", s, ok, got, rule)
		}
	}
}

func TestLineRejectsBreaksAndOverrides(t *testing.T) {
	const control, direction = "must be a single line without control characters", "must not hold characters that override the direction of writing"
	for s, rule := range map[string]string{
		"": "", "Café شركة\u200f 1\u200e\u061c": "", "می\u200cخواهم 👩\u200d💻": "", strings.Repeat("é", 31): "must be at most 30 characters",
		"a\x00": "must not hold a NUL character", "a\nb": control, "a\r": control, "\ta": control, "a\x1b[1m": control, "a\x7f": control,
		"a\u0085": control, "a\u2028b": control, "a\u2029b": control, "a\u202ab": direction, "a\u202eb": direction, "\u2066a": direction, "a\u2069": direction,
		"\u2029\u202e": control, "\u2065\u206a": "",
	} {
		f := fault.Validation()
		if ok, got := f.Line("a", s, 30), rules(f); ok != (rule == "") || got != rule {
			t.Errorf("%q: ok %t, fault %q, want fault %q", s, ok, got, rule)
		}
	}
}

// rules joins the clauses of all faults in a list.
func rules(f *fault.List) string {
	e, _ := errs.As(f.Err())
	if e == nil {
		return ""
	}
	var all []string
	for _, v := range e.Violations {
		all = append(all, v.Description)
	}
	return strings.Join(all, "; ")
}

func TestIsBlankIgnoresInvisibleCharacters(t *testing.T) {
	for _, s := range []string{"", " ", "\t\n\u00a0\u3000", "\u200b\u2060", "\u0001"} {
		if !fault.IsBlank(s) {
			t.Errorf("%q is not blank", s)
		}
	}
	for _, s := range []string{"a", " . ", "\x00", "\u200bب"} {
		if fault.IsBlank(s) {
			t.Errorf("%q is blank", s)
		}
	}
}

func TestIsStorableRejectsNULAndInvalidUTF8(t *testing.T) {
	for id, want := range map[string]bool{"": true, "com_1": true, "ب": true, "a\x00": false, "a\xff": false} {
		if fault.IsStorable(id) != want {
			t.Errorf("%q: storable %t, want %t", id, !want, want)
		}
	}
}

func TestJSONPathConvertsNames(t *testing.T) {
	for path, want := range map[string]string{
		"":                              "",
		"name":                          "name",
		"page_size":                     "pageSize",
		"Idempotency-Key":               "Idempotency-Key",
		"a__b_":                         "aB",
		"x_1":                           "x1",
		"questions[2].default_key":      "questions[2].defaultKey",
		"content.nice_to_have[0]":       "content.niceToHave[0]",
		`socials["my_site"].link_url`:   `socials["my_site"].linkUrl`,
		`socials["a\"_b"].link_url`:     `socials["a\"_b"].linkUrl`,
		"workforce_programme.public__x": "workforceProgramme.publicX",
	} {
		if got := fault.JSONPath(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestListIsLimitedInCountAndBytes(t *testing.T) {
	many := fault.Argument()
	for i := range 5000 {
		many.Add(fmt.Sprintf("skills[%d]", i), "must not be blank")
	}
	long := fault.Argument()
	for i := range 5000 {
		long.Add(fmt.Sprintf("socials[%q]", strings.Repeat("x", 1000)+fmt.Sprint(i)), "must be a link")
	}
	for name, list := range map[string]*fault.List{"many": many, "long": long} {
		e, _ := errs.As(list.Err())
		size := 0
		for _, v := range e.Violations {
			size += len(v.Field) + len(v.Description)
		}
		if len(e.Violations) < 100 || len(e.Violations) > 1001 || size > 129<<10 {
			t.Errorf("%s: %d faults of %d bytes", name, len(e.Violations), size)
		}
		wholly := fault.Argument()
		wholly.Add("name", "must not be blank")
		if err := wholly.Merge(list.Err()); err != nil {
			t.Error(err)
		}
		merged, _ := errs.As(wholly.Err())
		for _, list := range [][]errs.Violation{e.Violations, merged.Violations} {
			const mark = "more fields have faults than are listed"
			marked := slices.IndexFunc(list, func(v errs.Violation) bool { return v.String() == mark })
			if marked != len(list)-1 {
				t.Errorf("%s: the list is marked as truncated at %d of %d", name, marked, len(list))
			}
		}
	}
	if e, _ := errs.As(fault.Of("CODE", "a", "is wrong")); len(e.Violations) != 1 {
		t.Errorf("a single fault became %v", e.Violations)
	}
}
