package tokens_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

// formEndpoint is one of the endpoints that take a form.
type formEndpoint struct {
	path string
	// form is accepted. It has client_id and client_secret.
	form url.Values
	// flat is true if failures have the shape of RFC 6749 §5.2, not the envelope.
	flat bool
	// wrong are values that are well formed and refused, by parameter. A parameter that
	// is not here may have any value.
	wrong map[string]wrongValue
	// optional are the parameters that may be missing.
	optional []string
}

type wrongValue struct {
	value  string
	status int
	code   string
}

// flatCode is the code of RFC 6749 for a code of the envelope.
func flatCode(code string) string { return strings.ToLower(strings.TrimPrefix(code, "OAUTH_")) }

func (e formEndpoint) refused(t testing.TB, what string, a partner.Answer, status int, code string) {
	t.Helper()
	if a.Status != status {
		t.Errorf("%s %s: %s, want %d %s", e.path, what, a, status, code)
	}
	if e.flat {
		expect.FlatRefused(t, a, status, flatCode(code))
	} else {
		expect.Refused(t, a, status, code)
	}
}

func (e formEndpoint) send(t testing.TB, body string) partner.Answer {
	t.Helper()
	return scene.Raw(t, http.MethodPost, suite.System.BaseURLs[0]+e.path, partner.FormType, body)
}

// without is the form without one parameter, encoded.
func (e formEndpoint) without(name string) string {
	form := url.Values{}
	for k, v := range e.form {
		if k != name {
			form[k] = v
		}
	}
	return form.Encode()
}

// formEndpoints are all endpoints that take a form. Their forms belong to a connection
// that lives.
func formEndpoints(t testing.TB) []formEndpoint {
	t.Helper()
	c := scene.Everything(t)
	r := c.App.NewRequest("profile")
	issued := scene.Code(t, c.App, c.Person, r, person.Choice{})
	client := url.Values{"client_id": {c.App.ID}, "client_secret": {c.App.Secret}}
	with := func(more url.Values) url.Values {
		for k, v := range client {
			more[k] = v
		}
		return more
	}
	badClient := map[string]wrongValue{
		"client_id":     {"svc_ci_unknown", http.StatusUnauthorized, "OAUTH_INVALID_CLIENT"},
		"client_secret": {"svc_cs_wrong", http.StatusUnauthorized, "OAUTH_INVALID_CLIENT"},
	}
	and := func(more map[string]wrongValue) map[string]wrongValue {
		for k, v := range badClient {
			more[k] = v
		}
		return more
	}
	grant := wrongValue{"password", http.StatusBadRequest, "OAUTH_UNSUPPORTED_GRANT_TYPE"}
	invalidGrant := func(value string) wrongValue {
		return wrongValue{value, http.StatusBadRequest, "OAUTH_INVALID_GRANT"}
	}
	about := url.Values{"token": {c.Tokens.Access}, "token_type_hint": {"access_token"}}
	return []formEndpoint{
		{
			path: "/oauth/token", flat: true, form: with(c.App.CodeForm(issued, r.Verifier)),
			wrong: and(map[string]wrongValue{
				"grant_type": grant, "code": invalidGrant("svc_ac_unknown"), "redirect_uri": invalidGrant("https://evil.example.com/"),
				"code_verifier": {"short", http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
			}),
		},
		{
			path: "/oauth/token", flat: true, optional: []string{"scope"},
			form: with(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {c.Tokens.Refresh}, "scope": {"profile"}}),
			wrong: and(map[string]wrongValue{
				"grant_type": grant, "refresh_token": invalidGrant("svc_rt_unknown"),
				"scope": {"profile admin", http.StatusBadRequest, "OAUTH_INVALID_SCOPE"},
			}),
		},
		{path: "/oauth/introspect", flat: true, form: with(cloneValues(about)), wrong: badClient, optional: []string{"token_type_hint"}},
		{path: "/oauth/revoke", form: with(url.Values{"token": {"svc_at_unknown"}, "token_type_hint": {"access_token"}}), wrong: badClient, optional: []string{"token_type_hint"}},
	}
}

func cloneValues(v url.Values) url.Values {
	out := url.Values{}
	for k := range v {
		out[k] = v[k]
	}
	return out
}

func (e formEndpoint) missing(t testing.TB, name string) {
	t.Helper()
	status, code := http.StatusBadRequest, "OAUTH_INVALID_REQUEST"
	if name == "client_id" || name == "client_secret" {
		status, code = http.StatusUnauthorized, "OAUTH_INVALID_CLIENT"
	}
	e.refused(t, "missing "+name, e.send(t, e.without(name)), status, code)
	e.refused(t, "empty "+name, e.send(t, e.without(name)+"&"+name+"="), status, code)
}
