package parameters

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/fault"
)

func TestReadRejectsMalformedParameters(t *testing.T) {
	names := []string{"a", "b"}
	for raw, c := range map[string]struct {
		a     string
		fault bool
	}{
		"":                               {"", false},
		"a=1&b=2":                        {"1", false},
		"a=":                             {"", false}, // counts as not sent
		"a":                              {"", false},
		"&&a=1&":                         {"1", false},
		"a=%2B+%20":                      {"+  ", false},
		"%61=1":                          {"1", false},
		"a=1;b=2":                        {"1;b=2", false},
		"a=1&c=2&c=3":                    {"1", false}, // unknown parameters are ignored
		"a=1&a=1":                        {"1", true},
		"a=&a=1":                         {"", true},
		"a=1&%61=1":                      {"1", true},
		"a=%":                            {"", true},
		"a=%zz":                          {"", true},
		"%=1&a=1":                        {"1", true},
		"a=1&c=%":                        {"1", true},
		"a=%00":                          {"", true},
		"a=%ff":                          {"", true},
		"a=\xff":                         {"", true},
		"a=" + strings.Repeat("x", 4096): {strings.Repeat("x", 4096), false},
		"a=" + strings.Repeat("x", 4097): {"", true},
	} {
		p := Read(raw, names)
		if p.Get("a") != c.a || (p.Fault() != "") != c.fault {
			t.Errorf("%.20q: a = %.20q, fault %q", raw, p.Get("a"), p.Fault())
		}
	}
}

func FuzzParameters(f *testing.F) {
	for _, s := range []string{"a=1&b=2", "a=%00", "a=1&a=2", "%", "a=%ff", "&=&;", "a=+%2b"} {
		f.Add(s)
	}
	names := []string{"a", "token"}
	f.Fuzz(func(t *testing.T, raw string) {
		p := Read(raw, names)
		for name, value := range p.values {
			if !slices.Contains(names, name) || value == "" || !fault.IsStorable(value) || len(value) > MaxValue {
				t.Errorf("%q: kept %q=%q", raw, name, value)
			}
		}
		// If the strict parser finds no error, the standard parser must return the same values.
		if p.Fault() == "" && !strings.Contains(raw, ";") {
			std, err := url.ParseQuery(raw)
			if err != nil {
				t.Fatalf("%q: net/url: %v", raw, err)
			}
			for _, name := range names {
				if std.Get(name) != p.Get(name) {
					t.Errorf("%q: %s = %q, net/url returns %q", raw, name, p.Get(name), std.Get(name))
				}
			}
		}
	})
}
