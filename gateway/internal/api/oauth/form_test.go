package oauth

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

func TestParametersAreReadStrictly(t *testing.T) {
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
		p := parseParameters(raw, names)
		if p.get("a") != c.a || (p.fault() != "") != c.fault {
			t.Errorf("%.20q: a = %.20q, fault %q", raw, p.get("a"), p.fault())
		}
	}
}

// The REST API and the consent page must read the same from a query.
func TestAQueryIsTheSameToWhoeverIsRedirectedWithIt(t *testing.T) {
	for raw, want := range map[string]string{
		"state=a%20b+c&x=%7e": "state=a%20b+c&x=%7e", "state=a b\xc3\xbc\x00": "state=a%20b%C3%BC%00", "state=a#b&scope=x": "state=a%23b&scope=x",
	} {
		got := Printable(raw)
		u, err := url.Parse("https://app.vitae.example/oauth/authorize?" + got)
		if got != want || err != nil || u.RawQuery != want || u.Fragment != "" {
			t.Errorf("%q becomes %q, %v", raw, got, err)
		}
	}
}

func FuzzParameters(f *testing.F) {
	for _, s := range []string{"a=1&b=2", "a=%00", "a=1&a=2", "%", "a=%ff", "&=&;", "a=+%2b"} {
		f.Add(s)
	}
	names := []string{"a", "token"}
	f.Fuzz(func(t *testing.T, raw string) {
		p := parseParameters(raw, names)
		for name, value := range p.values {
			if !slices.Contains(names, name) || value == "" || !fault.IsStorable(value) || len(value) > maxValue {
				t.Errorf("%q: kept %q=%q", raw, name, value)
			}
		}
		// If the strict parser finds no fault, the standard parser reads the same.
		if p.fault() == "" && !strings.Contains(raw, ";") {
			std, err := url.ParseQuery(raw)
			if err != nil {
				t.Fatalf("%q: net/url: %v", raw, err)
			}
			for _, name := range names {
				if std.Get(name) != p.get(name) {
					t.Errorf("%q: %s = %q, net/url says %q", raw, name, p.get(name), std.Get(name))
				}
			}
		}
	})
}

func basic(s string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(s)) }

func TestBasicCredentials(t *testing.T) {
	for field, c := range map[string]struct{ id, secret string }{
		basic("id:secret"):        {"id", "secret"},
		basic("i%3Ad:s+e%2Bc%25"): {"i:d", "s e+c%"},
		basic("id:a:b"):           {"id", "a:b"},
		basic("id:"):              {"id", ""},
		"bAsIc " + strings.TrimPrefix(basic("id:secret"), "Basic "): {"id", "secret"},
		basic(":secret"):    {},
		basic("id"):         {},
		basic("%zz:secret"): {},
		basic("id:%"):       {},
		basic("id:\xff"):    {},
		basic("id:%00"):     {},
		basic("id:" + strings.Repeat("x", maxValue+1)): {},
		"Basic":      {},
		"Basic !":    {},
		"Basic aWQ":  {},
		"Bearer aWQ": {},
	} {
		client, err := basicClient(field)
		if client.GetClientId() != c.id || client.GetClientSecret() != c.secret || (err == nil) != (c.id != "") {
			t.Errorf("%.40q: %v, %v", field, client, err)
		}
		if err != nil && !errs.HasCode(err, answer.CodeOAuthClient) {
			t.Errorf("%.40q: %v", field, err)
		}
	}
}

func FuzzBasicCredentials(f *testing.F) {
	f.Add(basic("id:secret"))
	f.Add(basic("%:"))
	f.Add("Basic")
	f.Fuzz(func(t *testing.T, field string) {
		client, err := basicClient(field)
		if err != nil {
			return
		}
		if client.GetClientId() == "" || !fault.IsStorable(client.GetClientId()) || !fault.IsStorable(client.GetClientSecret()) {
			t.Errorf("%q gave %v", field, client)
		}
		std := &http.Request{Header: http.Header{"Authorization": {"Basic " + strings.Trim(field[len("Basic"):], " ")}}}
		if _, _, ok := std.BasicAuth(); !ok {
			t.Errorf("%q is no Basic authentication to net/http", field)
		}
	})
}
