package e2e_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
)

// raw sends a form to an endpoint exactly as given. Headers are pairs of name and
// value.
func raw(t testing.TB, method, target, contentType, body string, headers ...string) partner.Answer {
	t.Helper()
	req := must(http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body)))(t)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return must(partner.Do(req))(t)
}

const formType = "application/x-www-form-urlencoded"

// formEndpoint is one of the endpoints that take a form.
type formEndpoint struct {
	path string
	// form is a good one, client_id and client_secret included.
	form url.Values
	// flat says that failures have the flat shape.
	flat bool
	// wrong holds the answer to a well-formed, wrong value; a parameter that is not
	// here may hold anything.
	wrong map[string]wrongValue
	// optional names the parameters that may be missing.
	optional []string
}

type wrongValue struct {
	value  string
	status int
	code   string
}

// flatCode is the code of an envelope in the flat shape.
func flatCode(code string) string { return strings.ToLower(strings.TrimPrefix(code, "OAUTH_")) }

func (e formEndpoint) refused(t testing.TB, what string, a partner.Answer, status int, code string) {
	t.Helper()
	if a.Status != status {
		t.Errorf("%s %s: %s, want %d %s", e.path, what, a, status, code)
	}
	if e.flat {
		flatRefused(t, a, status, flatCode(code))
	} else {
		refused(t, a, status, code)
	}
}

func (e formEndpoint) send(t testing.TB, body string) partner.Answer {
	t.Helper()
	return raw(t, http.MethodPost, system.BaseURLs[0]+e.path, formType, body)
}

// without is the good form, encoded, less one parameter.
func (e formEndpoint) without(name string) string {
	form := url.Values{}
	for k, v := range e.form {
		if k != name {
			form[k] = v
		}
	}
	return form.Encode()
}

// formEndpoints are all of them, with a live connection behind the good forms.
func formEndpoints(t testing.TB) []formEndpoint {
	t.Helper()
	c := everything(t)
	r := c.app.NewRequest("profile")
	issued := code(t, c.app, c.person, r, person.Choice{})
	client := url.Values{"client_id": {c.app.ID}, "client_secret": {c.app.Secret}}
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
	about := url.Values{"token": {c.tokens.Access}, "token_type_hint": {"access_token"}}
	return []formEndpoint{
		{
			path: "/oauth/token", flat: true, form: with(c.app.CodeForm(issued, r.Verifier)),
			wrong: and(map[string]wrongValue{
				"grant_type": grant, "code": invalidGrant("svc_ac_unknown"), "redirect_uri": invalidGrant("https://evil.example.com/"),
				"code_verifier": {"short", http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
			}),
		},
		{
			path: "/oauth/token", flat: true, optional: []string{"scope"},
			form: with(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {c.tokens.Refresh}, "scope": {"profile"}}),
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

func TestFormParametersMissingDoubledMalformedAndTooLongAreRefused(t *testing.T) {
	t.Parallel()
	for _, e := range formEndpoints(t) {
		for name := range e.form {
			if !slices.Contains(e.optional, name) {
				e.missing(t, name)
			}
			pair := name + "=" + url.QueryEscape(e.form.Get(name))
			e.refused(t, "doubled "+name, e.send(t, e.form.Encode()+"&"+pair), http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
			e.refused(t, "doubled "+name+" with two values", e.send(t, e.form.Encode()+"&"+name+"=other"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
			for _, bad := range []string{"%zz", "%", "%00", "a%00b", "%ff%fe", strings.Repeat("A", 5000), strings.Repeat("A", 100000)} {
				a := e.send(t, e.without(name)+"&"+name+"="+bad)
				e.refused(t, name+" malformed", a, http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
			}
			if w, ok := e.wrong[name]; ok {
				e.refused(t, name+" wrong", e.send(t, e.without(name)+"&"+name+"="+url.QueryEscape(w.value)), w.status, w.code)
			}
		}
		// After all that, the good form still works: refusals spend nothing.
		if a := e.send(t, e.form.Encode()); a.Status != http.StatusOK {
			t.Errorf("%s with a good form: %s", e.path, a)
		}
	}
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

func TestUnknownFormParametersAndHintsAreIgnored(t *testing.T) {
	t.Parallel()
	c := everything(t)
	for _, hint := range []string{"refresh_token", "saml2", "%20"} {
		body := url.Values{"token": {c.tokens.Access}, "client_id": {c.app.ID}, "client_secret": {c.app.Secret}}.Encode()
		a := raw(t, http.MethodPost, c.app.BaseURL+"/oauth/introspect", formType, body+"&token_type_hint="+hint+"&extra=1&extra=2")
		if flat(t, a, http.StatusOK)["active"] != true {
			t.Errorf("with hint %q: %s", hint, a)
		}
	}
}

func TestFormEndpointsTakeOnlyForms(t *testing.T) {
	t.Parallel()
	for _, e := range formEndpoints(t) {
		target := system.BaseURLs[0] + e.path
		body := e.form.Encode()
		code := "UNSUPPORTED_MEDIA_TYPE"
		if e.flat {
			code = "OAUTH_INVALID_REQUEST"
		}
		for _, kind := range []string{"", "application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencodedx", ";"} {
			e.refused(t, "with type "+kind, raw(t, http.MethodPost, target, kind, body), http.StatusUnsupportedMediaType, code)
		}
		code = "PAYLOAD_TOO_LARGE"
		if e.flat {
			code = "OAUTH_INVALID_REQUEST"
		}
		huge := body + "&padding=" + strings.Repeat("A", 1<<20)
		e.refused(t, "with more than 1 MiB", raw(t, http.MethodPost, target, formType, huge), http.StatusRequestEntityTooLarge, code)
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
			a := raw(t, method, target, formType, body)
			if a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") == "" {
				t.Errorf("%s %s: %s, Allow %q", method, e.path, a, a.Header.Get("Allow"))
			}
			identified(t, a)
		}
		if a := raw(t, http.MethodPost, target, formType+"; charset=UTF-8", body); a.Status != http.StatusOK {
			t.Errorf("%s with a charset: %s", e.path, a)
		}
	}
}

func TestClientCredentialsAreTakenFromOnePlaceOnly(t *testing.T) {
	t.Parallel()
	for _, e := range formEndpoints(t) {
		target := system.BaseURLs[0] + e.path
		id, secret := e.form.Get("client_id"), e.form.Get("client_secret")
		basic := func(user, password string) string {
			return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
		}
		bare := cloneValues(e.form)
		bare.Del("client_id")
		bare.Del("client_secret")

		inQuery := raw(t, http.MethodPost, target+"?client_id="+id+"&client_secret="+secret, formType, bare.Encode())
		e.refused(t, "credentials in the query", inQuery, http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
		both := raw(t, http.MethodPost, target, formType, e.form.Encode(), "Authorization", basic(id, secret))
		e.refused(t, "credentials in header and body", both, http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
		twice := raw(t, http.MethodPost, target, formType, bare.Encode(), "Authorization", basic(id, secret), "Authorization", basic(id, secret))
		if twice.Status/100 != 4 {
			t.Errorf("%s with two Authorization headers: %s", e.path, twice)
		}
		for name, header := range map[string]string{
			"wrong secret": basic(id, "wrong"), "empty secret": basic(id, ""), "unknown client": basic("svc_ci_unknown", secret),
			"no base64": "Basic ???", "no colon": "Basic " + base64.StdEncoding.EncodeToString([]byte(id)), "nothing": "Basic",
			"another scheme": "Bearer " + secret, "bad escape": basic(id+"%zz", secret),
		} {
			a := raw(t, http.MethodPost, target, formType, bare.Encode(), "Authorization", header)
			e.refused(t, name, a, http.StatusUnauthorized, "OAUTH_INVALID_CLIENT")
			if h := a.Header.Get("WWW-Authenticate"); !strings.HasPrefix(h, "Basic") {
				t.Errorf("%s %s: WWW-Authenticate %q, want Basic (RFC 6749 §5.2)", e.path, name, h)
			}
		}
		if a := raw(t, http.MethodPost, target, formType, bare.Encode(), "Authorization", basic(id, secret)); a.Status != http.StatusOK {
			t.Errorf("%s with Basic: %s", e.path, a)
		}
	}
}

func TestPublicClientHasNoSecretAndAConfidentialOneNeedsIt(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	mobile, web := s.app(t, "mobile"), s.app(t, "web")
	tokens := connect(t, mobile, s.person(t, "layla"), "profile", person.Choice{})
	sneaky := mobile
	sneaky.Secret, sneaky.Method = "svc_cs_made_up", partner.Body
	flatRefused(t, must(sneaky.Refresh(t.Context(), tokens.Refresh, ""))(t), http.StatusUnauthorized, "invalid_client")
	web.Method = partner.Public
	flatRefused(t, must(web.Introspect(t.Context(), tokens.Access))(t), http.StatusUnauthorized, "invalid_client")
	must(must(mobile.Refresh(t.Context(), tokens.Refresh, ""))(t).Tokens())(t)
}
