package app_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const formType = "application/x-www-form-urlencoded"

// post sends a form to path.
func (s *scene) post(path, body string, headers ...string) answer {
	s.t.Helper()
	return s.do(http.MethodPost, path, body, append(headers, "Content-Type", formType)...)
}

func basic(id, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(secret)))
}

// forms holds a valid body for every form endpoint and grant.
var forms = map[string]url.Values{
	"code": {
		"grant_type": {"authorization_code"}, "code": {"svc_ac_x"}, "redirect_uri": {"https://partner.example/cb"},
		"code_verifier": {"v"}, "client_id": {"svc_ci_x"}, "client_secret": {"svc_cs_x"},
	},
	"refresh":    {"grant_type": {"refresh_token"}, "refresh_token": {"svc_rt_x"}, "client_id": {"svc_ci_x"}, "client_secret": {"svc_cs_x"}},
	"introspect": {"token": {"svc_at_x"}, "client_id": {"svc_ci_x"}, "client_secret": {"svc_cs_x"}},
	"revoke":     {"token": {"svc_at_x"}, "client_id": {"svc_ci_x"}, "client_secret": {"svc_cs_x"}},
}

var paths = map[string]string{
	"code": "/oauth/token", "refresh": "/oauth/token", "introspect": "/oauth/introspect", "revoke": "/oauth/revoke",
}

// wantOAuth checks an error response in the format of the endpoint. code is the flat error code.
func (a answer) wantOAuth(t *testing.T, path string, status int, code string) {
	t.Helper()
	if path == "/oauth/revoke" {
		a.wantEnvelope(t, status, "OAUTH_"+strings.ToUpper(code))
		return
	}
	a.wantFlat(t, status, code)
}

func clone(v url.Values) url.Values {
	out := url.Values{}
	for k, values := range v {
		out[k] = append([]string(nil), values...)
	}
	return out
}

// newOAuthScene returns a scene whose auth service grants and records every request.
func newOAuthScene(t *testing.T, options ...option) *scene {
	s := newScene(t, options...)
	tokens := &authv1.TokenPair{AccessToken: "svc_at_new", RefreshToken: "svc_rt_new", ExpiresIn: 3600, Scopes: []string{"profile", "cv:read"}}
	s.auth.exchange = func(*authv1.ExchangeCodeRequest) (*authv1.TokenPair, error) { return tokens, nil }
	s.auth.refresh = func(*authv1.RefreshTokenRequest) (*authv1.TokenPair, error) { return tokens, nil }
	s.auth.introspect = func(*authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) {
		return &authv1.IntrospectTokenResponse{}, nil
	}
	s.auth.revoke = func(*authv1.RevokeTokenRequest) error { return nil }
	return s
}

// failing makes every OAuth call fail with err.
func (s *scene) failing(err error) {
	s.auth.check = func(*authv1.AuthorizationParameters) (*authv1.CheckAuthorizationResponse, error) { return nil, err }
	s.auth.exchange = func(*authv1.ExchangeCodeRequest) (*authv1.TokenPair, error) { return nil, err }
	s.auth.refresh = func(*authv1.RefreshTokenRequest) (*authv1.TokenPair, error) { return nil, err }
	s.auth.introspect = func(*authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) { return nil, err }
	s.auth.revoke = func(*authv1.RevokeTokenRequest) error { return err }
}

func TestTokenResponsesFollowRFC6749(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	const want = `{"access_token":"svc_at_new","token_type":"Bearer","expires_in":3600,"refresh_token":"svc_rt_new","scope":"profile cv:read"}`
	for _, name := range []string{"code", "refresh"} {
		a := s.post("/oauth/token", forms[name].Encode())
		if a.StatusCode != 200 || a.body != want || a.Header.Get("Content-Type") != "application/json" ||
			a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Pragma") != "no-cache" {
			t.Errorf("%s: %d %s %v", name, a.StatusCode, a.body, a.Header)
		}
	}
}

func TestClientIsReadFromHeaderOrBody(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	var got *authv1.ExchangeCodeRequest
	grant := s.auth.exchange
	s.auth.exchange = func(r *authv1.ExchangeCodeRequest) (*authv1.TokenPair, error) { got = r; return grant(r) }
	without := clone(forms["code"])
	without.Del("client_id")
	without.Del("client_secret")
	public := clone(without)
	public.Set("client_id", "id")
	for name, c := range map[string]struct {
		body   url.Values
		header []string
		id     string
		secret string
	}{
		"body":              {forms["code"], nil, "svc_ci_x", "svc_cs_x"},
		"Basic":             {without, []string{"Authorization", basic("id", "s:+ %é")}, "id", "s:+ %é"},
		"Basic and its id":  {public, []string{"Authorization", basic("id", "secret")}, "id", "secret"},
		"public client":     {public, nil, "id", ""},
		"public with Basic": {without, []string{"Authorization", basic("id", "")}, "id", ""},
		"charset in type":   {forms["code"], []string{"Content-Type", formType + "; charset=utf-8"}, "svc_ci_x", "svc_cs_x"},
	} {
		headers := c.header
		if len(headers) == 0 || headers[0] != "Content-Type" {
			headers = append(headers, "Content-Type", formType)
		}
		if a := s.do(http.MethodPost, "/oauth/token", c.body.Encode(), headers...); a.StatusCode != 200 {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.body)
			continue
		}
		if got.GetClient().GetClientId() != c.id || got.GetClient().GetClientSecret() != c.secret || (got.GetClient().ClientSecret == nil) != (c.secret == "") {
			t.Errorf("%s: client %v", name, got.GetClient())
		}
	}
	if got.GetCode() != "svc_ac_x" || got.GetRedirectUri() != "https://partner.example/cb" || got.GetCodeVerifier() != "v" {
		t.Errorf("auth received %v", got)
	}
}

func TestInvalidClientAuthenticationIsRejected(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	for name, c := range map[string]struct {
		drop   []string
		header []string
		status int
		code   string
	}{
		"no client":            {[]string{"client_id", "client_secret"}, nil, 401, "invalid_client"},
		"secret only":          {[]string{"client_id"}, nil, 401, "invalid_client"},
		"header and body":      {nil, []string{"Authorization", basic("svc_ci_x", "svc_cs_x")}, 400, "invalid_request"},
		"different id in body": {[]string{"client_secret"}, []string{"Authorization", basic("other", "s")}, 400, "invalid_request"},
		"two headers":          {[]string{"client_id", "client_secret"}, []string{"Authorization", basic("a", "b"), "Authorization", basic("a", "b")}, 400, "invalid_request"},
		"malformed Basic":      {[]string{"client_id", "client_secret"}, []string{"Authorization", "Basic !"}, 401, "invalid_client"},
		"Bearer":               {[]string{"client_id", "client_secret"}, []string{"Authorization", "Bearer x"}, 401, "invalid_client"},
	} {
		for form, path := range paths {
			body := clone(forms[form])
			for _, d := range c.drop {
				body.Del(d)
			}
			a := s.post(path, body.Encode(), c.header...)
			a.wantOAuth(t, path, c.status, c.code)
			if got := a.Header.Get("WWW-Authenticate"); (got == `Basic realm="vitae"`) != (c.status == 401) {
				t.Errorf("%s: %s: WWW-Authenticate %q", name, path, got)
			}
		}
	}
}

func TestInvalidFormParametersAreReported(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	optional := map[string]bool{"client_secret": true}
	for form, path := range paths {
		for name := range forms[form] {
			for fault, change := range map[string]func(url.Values) string{
				"missing":   func(v url.Values) string { v.Del(name); return v.Encode() },
				"empty":     func(v url.Values) string { v.Set(name, ""); return v.Encode() },
				"doubled":   func(v url.Values) string { v.Add(name, v.Get(name)); return v.Encode() },
				"malformed": func(v url.Values) string { v.Del(name); return v.Encode() + "&" + name + "=%zz" },
				"not UTF-8": func(v url.Values) string { v.Set(name, "\xff"); return v.Encode() },
				"NUL":       func(v url.Values) string { v.Set(name, "a\x00b"); return v.Encode() },
				"too long":  func(v url.Values) string { v.Set(name, strings.Repeat("x", 5000)); return v.Encode() },
			} {
				a := s.post(path, change(clone(forms[form])))
				omitted := fault == "missing" || fault == "empty"
				switch {
				case omitted && optional[name]:
					if a.StatusCode != 200 {
						t.Errorf("%s without %s: %d %s", form, name, a.StatusCode, a.body)
					}
				case omitted && name == "client_id":
					a.wantOAuth(t, path, 401, "invalid_client")
				default:
					a.wantOAuth(t, path, 400, "invalid_request")
					if !omitted && !strings.Contains(a.body, name) {
						t.Errorf("%s: %s %s: the message does not name the parameter: %s", form, name, fault, a.body)
					}
				}
			}
		}
	}
}

func TestFormEndpointsAcceptOnlyForms(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	for form, path := range paths {
		body := forms[form].Encode()
		for _, contentType := range []string{"", "application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded;=", "x"} {
			var headers []string
			if contentType != "" {
				headers = []string{"Content-Type", contentType}
			}
			s.do(http.MethodPost, path, body, headers...).wantOAuth(t, path, 400, "invalid_request")
		}
		s.do(http.MethodPost, path, "").wantOAuth(t, path, 401, "invalid_client") // no Content-Type and no fields
		s.post(path+"?client_secret=x", body).wantOAuth(t, path, 400, "invalid_request")
		s.post(path+"?token=x", body).wantOAuth(t, path, 400, "invalid_request")
		s.post(path+"?%zz", body).wantOAuth(t, path, 400, "invalid_request")
		if a := s.post(path+"?tracking=1", body+"&unknown=1&unknown=2"); a.StatusCode != 200 {
			t.Errorf("%s: unknown parameters: %d %s", path, a.StatusCode, a.body)
		}
		a := s.post(path, body+"&x="+strings.Repeat("x", 1<<20))
		if path == "/oauth/revoke" {
			a.wantEnvelope(t, 413, "PAYLOAD_TOO_LARGE")
		} else {
			a.wantFlat(t, 413, "invalid_request")
		}
	}
}

func TestUnknownGrantTypeIsUnsupported(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	for _, grant := range []string{"password", "client_credentials", "AUTHORIZATION_CODE", "authorization_code "} {
		body := clone(forms["code"])
		body.Set("grant_type", grant)
		s.post("/oauth/token", body.Encode()).wantFlat(t, 400, "unsupported_grant_type")
	}
}

func TestAuthErrorsHaveEndpointFormat(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	for _, c := range []struct {
		err    error
		status int
		flat   string
		code   string
	}{
		{errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "No \"such\" \\ client é."), 401, "invalid_client", "OAUTH_INVALID_CLIENT"},
		{errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "x"), 400, "invalid_grant", "OAUTH_INVALID_GRANT"},
		{errs.New(errs.Invalid, "OAUTH_INVALID_SCOPE", "x"), 400, "invalid_scope", "OAUTH_INVALID_SCOPE"},
		{errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "x"), 400, "invalid_request", "OAUTH_INVALID_REQUEST"},
		{errs.New(errs.Denied, "OAUTH_UNAUTHORIZED_CLIENT", "x"), 400, "unauthorized_client", "OAUTH_UNAUTHORIZED_CLIENT"},
		{errs.New(errs.Denied, "OAUTH_ACCESS_DENIED", "x"), 403, "access_denied", "OAUTH_ACCESS_DENIED"},
		{errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "x"), 403, "access_denied", "DEVELOPER_ACCOUNT_SUSPENDED"},
		{errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "x"), 503, "temporarily_unavailable", "SERVICE_UNAVAILABLE"},
		{errs.New(errs.Internal, "BROKEN", "x"), 500, "server_error", "INTERNAL_ERROR"},
	} {
		s.failing(c.err)
		for form, path := range paths {
			a := s.post(path, forms[form].Encode())
			if path == "/oauth/revoke" {
				a.wantEnvelope(t, c.status, c.code)
				continue
			}
			a.wantFlat(t, c.status, c.flat)
			if strings.ContainsAny(strings.Trim(a.body, "{}"), "\\é") {
				t.Errorf("error_description has characters that RFC 6749 forbids: %s", a.body)
			}
			if (a.Header.Get("Retry-After") != "") != (c.status == 503) {
				t.Errorf("%s: Retry-After %q", c.flat, a.Header.Get("Retry-After"))
			}
		}
	}
}

func TestIntrospectionDescribesLiveTokens(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	if a := s.post("/oauth/introspect", forms["introspect"].Encode()); a.StatusCode != 200 || a.body != `{"active":false}` {
		t.Errorf("inactive: %d %s", a.StatusCode, a.body)
	}
	live := &authv1.IntrospectTokenResponse{
		Active: true, Scopes: []string{"profile", "email"}, ClientId: "svc_ci_x", PersonId: "usr_1", ConnectionId: "con_1",
		ExpiresAt: timestamppb.New(time.Unix(1_800_000_000, 999_000_000)),
	}
	s.auth.introspect = func(*authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) { return live, nil }
	const head = `{"active":true,"scope":"profile email","client_id":"svc_ci_x","token_type":"Bearer","sub":"usr_1","exp":`
	if a := s.post("/oauth/introspect", forms["introspect"].Encode()); a.body != head+`1800000000,"connection_id":"con_1"}` || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("active: %s %v", a.body, a.Header)
	}
	live.ExpiresAt = nil
	if a := s.post("/oauth/introspect", forms["introspect"].Encode()+"&token_type_hint=nonsense"); a.body != head+`null,"connection_id":"con_1"}` {
		t.Errorf("without expiry: %s", a.body)
	}
}

func TestRevocationRespondsInEnvelope(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	var token string
	s.auth.revoke = func(r *authv1.RevokeTokenRequest) error { token = r.GetToken(); return nil }
	a := s.post("/oauth/revoke", "token=anything&token_type_hint=refresh_token", "Authorization", basic("id", "secret"))
	if a.StatusCode != 200 || a.body != `{"data":{"revoked":true},"error":null,"meta":null}` || token != "anything" || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s %v", a.StatusCode, a.body, a.Header)
	}
}

func TestRefreshDistinguishesEmptyScope(t *testing.T) {
	t.Parallel()
	s := newOAuthScene(t)
	var got *authv1.RefreshTokenRequest
	grant := s.auth.refresh
	s.auth.refresh = func(r *authv1.RefreshTokenRequest) (*authv1.TokenPair, error) { got = r; return grant(r) }
	s.post("/oauth/token", forms["refresh"].Encode())
	if got.Scope != nil {
		t.Errorf("a request without a scope was sent with scope %q", got.GetScope())
	}
	s.post("/oauth/token", forms["refresh"].Encode()+"&scope=profile+email")
	if got.GetScope() != "profile email" {
		t.Errorf("scope %q", got.GetScope())
	}
}
