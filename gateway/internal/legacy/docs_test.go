package legacy

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

func guide(t *testing.T) string {
	t.Helper()
	raw, err := docs.Files.ReadFile("guides/older-interface.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// row matches the code and status in a row of the guide's table of errors.
var row = regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| ([0-9]{3}) \\|")

func TestLegacyCodesMatchGuide(t *testing.T) {
	given := map[string]int{}
	for _, f := range failureOfCode {
		given[f.code] = f.status
	}
	for _, err := range []error{ // codes that are the same as in the REST API
		answer.NotFound(), answer.MethodNotAllowed(), answer.PayloadTooLarge(), errors.New("ours"),
		errs.New(errs.Exhausted, limits.CodeRate, "x"), errs.New(errs.NotFound, answer.CodePlatformDisabled, "x"),
		errs.New(errs.Unavailable, answer.CodeUnavailable, "x"),
	} {
		f := failureOf(err)
		given[f.Code] = f.Status
	}
	documented := map[string]int{}
	for _, m := range row.FindAllStringSubmatch(guide(t), -1) {
		documented[m[1]], _ = strconv.Atoi(m[2]) // cannot fail: the pattern matches three digits
	}
	if !maps.Equal(given, documented) {
		t.Errorf("the interface returns\n%v\nthe guide documents\n%v", given, documented)
	}
}

var block = regexp.MustCompile("(?s)```json\n(.*?)```")

func TestGuideExamplesMatchInterface(t *testing.T) {
	var profiles int
	for _, m := range block.FindAllStringSubmatch(guide(t), -1) {
		var body struct {
			Success bool            `json:"success"`
			Data    json.RawMessage `json:"data"`
			Message string          `json:"message"`
			Code    string          `json:"code"`
		}
		strict := json.NewDecoder(strings.NewReader(m[1]))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&body); err != nil {
			t.Errorf("%v: %s", err, m[1])
			continue
		}
		if body.Success == (body.Code != "") || !body.Success && !strings.Contains(guide(t), "| `"+body.Code+"` |") {
			t.Errorf("the interface never returns this response: %s", m[1])
		}
		if !strings.Contains(m[1], "phoneNumber") {
			continue
		}
		profiles++
		var shown profile
		strict = json.NewDecoder(strings.NewReader(string(body.Data)))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&shown); err != nil {
			t.Error(err)
		}
		if missing := empty(reflect.ValueOf(shown), "data"); len(missing) > 0 {
			t.Errorf("the example omits %v", missing)
		}
	}
	if profiles != 1 {
		t.Errorf("the guide has %d examples of a profile", profiles)
	}
}

// empty returns the paths of empty fields. A field of list items counts as empty only if no item sets it.
func empty(v reflect.Value, path string) (missing []string) {
	for i := range v.NumField() {
		field, name := v.Field(i), path+"."+v.Type().Field(i).Name
		switch {
		case field.IsZero():
			missing = append(missing, name)
		case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct:
			var of []string
			for j := range field.Len() {
				one := empty(field.Index(j), name)
				if j == 0 {
					of = one
				}
				of = slices.DeleteFunc(of, func(s string) bool { return !slices.Contains(one, s) })
			}
			missing = append(missing, of...)
		case field.Kind() == reflect.Pointer && field.Elem().Kind() == reflect.Struct:
			missing = append(missing, empty(field.Elem(), name)...)
		}
	}
	return missing
}
