package tokens_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

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
		// A refusal uses up neither code nor token: the form is still accepted.
		if a := e.send(t, e.form.Encode()); a.Status != http.StatusOK {
			t.Errorf("%s with a good form: %s", e.path, a)
		}
	}
}

func TestUnknownFormParametersAndHintsAreIgnored(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	for _, hint := range []string{"refresh_token", "saml2", "%20"} {
		body := url.Values{"token": {c.Tokens.Access}, "client_id": {c.App.ID}, "client_secret": {c.App.Secret}}.Encode()
		a := scene.Raw(t, http.MethodPost, c.App.BaseURL+"/oauth/introspect", partner.FormType, body+"&token_type_hint="+hint+"&extra=1&extra=2")
		if expect.Flat(t, a, http.StatusOK)["active"] != true {
			t.Errorf("with hint %q: %s", hint, a)
		}
	}
}

func TestFormEndpointsTakeOnlyForms(t *testing.T) {
	t.Parallel()
	for _, e := range formEndpoints(t) {
		target := suite.System.BaseURLs[0] + e.path
		body := e.form.Encode()
		for _, kind := range []string{"", "application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencodedx", ";"} {
			e.refused(t, "with type "+kind, scene.Raw(t, http.MethodPost, target, kind, body), http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
		}
		code := "PAYLOAD_TOO_LARGE"
		if e.flat {
			code = "OAUTH_INVALID_REQUEST"
		}
		huge := body + "&padding=" + strings.Repeat("A", 1<<20)
		e.refused(t, "with more than 1 MiB", scene.Raw(t, http.MethodPost, target, partner.FormType, huge), http.StatusRequestEntityTooLarge, code)
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
			a := scene.Raw(t, method, target, partner.FormType, body)
			if a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") == "" {
				t.Errorf("%s %s: %s, Allow %q", method, e.path, a, a.Header.Get("Allow"))
			}
			expect.Identified(t, a)
		}
		if a := scene.Raw(t, http.MethodPost, target, partner.FormType+"; charset=UTF-8", body); a.Status != http.StatusOK {
			t.Errorf("%s with a charset: %s", e.path, a)
		}
	}
}

func TestClientCredentialsAreTakenFromOnePlaceOnly(t *testing.T) {
	t.Parallel()
	for _, e := range formEndpoints(t) {
		target := suite.System.BaseURLs[0] + e.path
		id, secret := e.form.Get("client_id"), e.form.Get("client_secret")
		basic := func(user, password string) string {
			return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
		}
		bare := cloneValues(e.form)
		bare.Del("client_id")
		bare.Del("client_secret")

		inQuery := scene.Raw(t, http.MethodPost, target+"?client_id="+id+"&client_secret="+secret, partner.FormType, bare.Encode())
		e.refused(t, "credentials in the query", inQuery, http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
		both := scene.Raw(t, http.MethodPost, target, partner.FormType, e.form.Encode(), "Authorization", basic(id, secret))
		e.refused(t, "credentials in header and body", both, http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
		twice := scene.Raw(t, http.MethodPost, target, partner.FormType, bare.Encode(), "Authorization", basic(id, secret), "Authorization", basic(id, secret))
		if twice.Status/100 != 4 {
			t.Errorf("%s with two Authorization headers: %s", e.path, twice)
		}
		for name, header := range map[string]string{
			"wrong secret": basic(id, "wrong"), "empty secret": basic(id, ""), "unknown client": basic("svc_ci_unknown", secret),
			"no base64": "Basic ???", "no colon": "Basic " + base64.StdEncoding.EncodeToString([]byte(id)), "nothing": "Basic",
			"another scheme": "Bearer " + secret, "bad escape": basic(id+"%zz", secret),
		} {
			a := scene.Raw(t, http.MethodPost, target, partner.FormType, bare.Encode(), "Authorization", header)
			e.refused(t, name, a, http.StatusUnauthorized, "OAUTH_INVALID_CLIENT")
			if h := a.Header.Get("WWW-Authenticate"); !strings.HasPrefix(h, "Basic") {
				t.Errorf("%s %s: WWW-Authenticate %q, want Basic (RFC 6749 §5.2)", e.path, name, h)
			}
		}
		if a := scene.Raw(t, http.MethodPost, target, partner.FormType, bare.Encode(), "Authorization", basic(id, secret)); a.Status != http.StatusOK {
			t.Errorf("%s with Basic: %s", e.path, a)
		}
	}
}

func TestPublicClientHasNoSecretAndAConfidentialOneNeedsIt(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	mobile, web := s.Client(t, "mobile"), s.Client(t, "web")
	tokens := scene.Connect(t, mobile, s.NewPerson(t, "layla"), "profile", person.Choice{})
	sneaky := mobile
	sneaky.Secret, sneaky.Method = "svc_cs_made_up", partner.Body
	expect.FlatRefused(t, expect.Must(sneaky.Refresh(t.Context(), tokens.Refresh, ""))(t), http.StatusUnauthorized, "invalid_client")
	web.Method = partner.Public
	expect.FlatRefused(t, expect.Must(web.Introspect(t.Context(), tokens.Access))(t), http.StatusUnauthorized, "invalid_client")
	expect.Must(expect.Must(mobile.Refresh(t.Context(), tokens.Refresh, ""))(t).Tokens())(t)
}
