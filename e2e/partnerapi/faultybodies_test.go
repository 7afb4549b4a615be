package partnerapi_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

// hole marks the place in a body at which put inserts raw text.
const hole = "@@hole@@"

// put is the body with raw text, which need not be JSON, at a path. An empty text
// removes the key.
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
		holder[expect.Must(strconv.Atoi(key))(t)] = hole
	}
	return strings.Replace(string(expect.Must(json.Marshal(root))(t)), `"`+hole+`"`, raw, 1)
}

func clone(t testing.TB, body world.Fields) map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(expect.Must(json.Marshal(body))(t), &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// steps are the keys and indexes of a path: "questions[0].prompt" has questions, 0 and
// prompt.
func steps(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
}

// locate returns the object or list that holds the last step of a path, and that step.
func locate(t testing.TB, root any, path string) (any, string) {
	t.Helper()
	all := steps(path)
	for _, step := range all[:len(all)-1] {
		switch holder := root.(type) {
		case map[string]any:
			root = holder[step]
		case []any:
			root = holder[expect.Must(strconv.Atoi(step))(t)]
		}
	}
	if root == nil {
		t.Fatalf("the good body has no %s", path)
	}
	return root, all[len(all)-1]
}

// atLimit is the body with a field at its greatest length, in characters of two bytes.
func (f field) atLimit(t testing.TB, good world.Fields) string {
	t.Helper()
	if f.kind == texts {
		return put(t, good, f.path, `["a",`+quoted(f.max)+`]`)
	}
	return put(t, good, f.path, quoted(f.max))
}

// under are fields whose paths begin with a prefix.
func under(prefix string, fields ...field) []field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].path = prefix + out[i].path
	}
	return out
}

// sections is a body with only some of its keys.
func sections(body world.Fields, keys ...string) world.Fields {
	out := maps.Clone(body)
	for k := range body {
		if !slices.Contains(keys, k) {
			delete(out, k)
		}
	}
	return out
}

// refusesAll sends faulty bodies and asserts that each refusal names its path.
func refusesAll(t *testing.T, faults []fault, send func(ctx context.Context, body string) (partner.Answer, error)) {
	t.Helper()
	answers := make([]partner.Answer, len(faults))
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(4)
	for i, f := range faults {
		group.Go(func() (err error) {
			answers[i], err = send(ctx, f.body)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for i, f := range faults {
		failed := t.Failed()
		expect.Invalid(t, answers[i], f.path)
		if t.Failed() && !failed {
			t.Errorf("the first: %s", f)
		}
	}
}

func faultsOf(t testing.TB, good world.Fields, fields []field, more ...fault) []fault {
	t.Helper()
	for _, f := range fields {
		more = append(more, f.faults(t, good)...)
	}
	for what, body := range malformed {
		more = append(more, fault{what, body, ""})
	}
	return more
}

// values are faults that have the right type and a refused value.
func values(t testing.TB, good world.Fields, path string, raws ...string) []fault {
	t.Helper()
	var out []fault
	for _, raw := range raws {
		out = append(out, fault{path + " is " + raw, put(t, good, path, raw), path})
	}
	return out
}

var (
	badURLs  = []string{`""`, `"noor.example.com"`, `"//noor.example.com"`, `"ftp://noor.example.com"`, `"https://"`, `"https:///a"`, `"javascript:alert(1)"`, `"http:noor"`, `"https://a b.example.com"`}
	badSlugs = []string{`""`, `"-"`, `"-noor"`, `"noor-"`, `"Noor"`, `"noor telecom"`, `"noor_telecom"`, `"نور"`, `"a/b"`, `"` + strings.Repeat("a", 65) + `"`}
	badLines = []string{`"a\nb"`, `"a\tb"`, `"a\u2028b"`, `"a\u202eb"`}
	blanks   = []string{`""`, `"  "`, `"\t\n"`}
)
