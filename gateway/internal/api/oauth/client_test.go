package oauth

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/parameters"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

func basic(s string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(s)) }

func TestBasicCredentialsAreParsed(t *testing.T) {
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
		basic("id:" + strings.Repeat("x", parameters.MaxValue+1)): {},
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
			t.Errorf("%q was parsed as %v", field, client)
		}
		std := &http.Request{Header: http.Header{"Authorization": {"Basic " + strings.Trim(field[len("Basic"):], " ")}}}
		if _, _, ok := std.BasicAuth(); !ok {
			t.Errorf("net/http does not accept %q as Basic authentication", field)
		}
	})
}
