package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestMissingOrInvalidAPIKeysAreRejected(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	expired := credential.New(credential.APIKey)
	s.auth.put(expired, &authv1.SessionRecord{Principal: keyPrincipal(), ExpiresAt: timestamppb.New(time.Now().Add(-time.Second))})
	mixed := credential.New(credential.APIKey) // live, but its record is for a user token
	s.auth.put(mixed, &authv1.SessionRecord{Principal: fullPrincipal()})
	const invalid = bearerRealm + `, error="invalid_token", error_description="`
	for name, c := range map[string]struct {
		headers   []string
		challenge string
	}{
		"nothing":              {nil, bearerRealm},
		"Basic":                {[]string{"Authorization", "Basic dTpw"}, bearerRealm},
		"empty":                {[]string{"Authorization", "Bearer "}, bearerRealm},
		"deleted":              {[]string{"Authorization", "Bearer " + credential.New(credential.APIKey)}, invalid},
		"bad checksum":         {[]string{"Authorization", "Bearer " + s.auth.key[:50] + "000000"}, invalid},
		"user token":           {[]string{"Authorization", "Bearer " + s.auth.token}, invalid},
		"expired":              {[]string{"Authorization", "Bearer " + expired}, invalid},
		"record of wrong kind": {[]string{"Authorization", "Bearer " + mixed}, invalid},
		"two headers":          {[]string{"Authorization", "Bearer " + s.auth.key, "Authorization", "Bearer " + s.auth.key}, invalid},
	} {
		for _, r := range partnerRoutes {
			a := s.do(r.method, r.target, r.body, append(c.headers, "Content-Type", "application/json")...)
			a.wantEnvelope(t, 401, "API_KEY_INVALID")
			got := a.Header.Get("WWW-Authenticate")
			if c.challenge == bearerRealm && got != bearerRealm || !strings.HasPrefix(got, c.challenge) {
				t.Errorf("%s: %s: WWW-Authenticate %q", name, r.target, got)
			}
		}
	}
	if _, _, _, calls := s.partner.last(); calls != 0 {
		t.Errorf("%d calls reached the service", calls)
	}
	s.do(http.MethodGet, "/v1/me", "", "Authorization", "Bearer "+s.auth.key).wantEnvelope(t, 401, "OAUTH_INVALID_TOKEN")
}

func TestWrongKindIsRejectedWithoutLookup(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, c := range []struct{ code, message, path, live, dead string }{
		{"API_KEY_INVALID", "This path takes an API key, not an access token.", "/v1/companies", s.auth.token, credential.New(credential.AccessToken)},
		{"OAUTH_INVALID_TOKEN", "This path takes an access token, not an API key.", "/v1/me", s.auth.key, credential.New(credential.APIKey)},
	} {
		for _, sent := range []string{c.live, c.dead, c.live[:50] + "000000", c.live[:7]} {
			a := s.do(http.MethodGet, c.path, "", "Authorization", "Bearer "+sent)
			a.wantEnvelope(t, 401, c.code)
			if got := a.message(t); got != c.message {
				t.Errorf("%s at %s: %s", sent, c.path, got)
			}
		}
		a := s.do(http.MethodGet, c.path, "", "Authorization", "Bearer "+credential.New(credential.RefreshToken))
		if a.wantEnvelope(t, 401, c.code); a.message(t) == c.message {
			t.Errorf("a refresh token at %s: %s", c.path, a.message(t))
		}
	}
	if n := s.auth.lookups(); n != 0 {
		t.Errorf("the gateway called auth %d times", n)
	}
}

func TestEachRouteRequiresItsScope(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, r := range partnerRoutes {
		for _, scope := range keyPrincipal().GetScopes() {
			p := keyPrincipal()
			p.Scopes = []string{scope}
			s.auth.put(s.auth.key, &authv1.SessionRecord{Principal: p})
			a := s.ask(r.method, r.target, r.body)
			if scope == r.scope {
				if a.StatusCode != r.status {
					t.Errorf("%s %s with %s: %d %s", r.method, r.target, scope, a.StatusCode, a.body)
				}
				continue
			}
			a.wantEnvelope(t, 403, "API_KEY_INSUFFICIENT_SCOPE")
			if got := a.Header.Get("WWW-Authenticate"); got != bearerRealm+`, error="insufficient_scope", scope="`+r.scope+`"` {
				t.Errorf("%s %s: %s", r.method, r.target, got)
			}
		}
	}
}

func TestPartnerChecksRunInOrder(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.partner.willReturn(nil, errs.New(errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "The company belongs to a different app."))
	narrow := keyPrincipal()
	narrow.Scopes = nil
	for name, spoiled := range map[string]func() answer{
		"type":  func() answer { return s.ask("POST", "/v1/companies/com_1/jobs", "{", "Content-Type", "text/plain") },
		"body":  func() answer { return s.ask("POST", "/v1/companies/com_1/jobs", "{") },
		"size":  func() answer { return s.ask("POST", "/v1/companies/com_1/jobs", strings.Repeat(" ", 1<<20+1)) },
		"query": func() answer { return s.ask("GET", "/v1/companies/com_1/jobs?page=x", "") },
	} {
		s.auth.put(s.auth.key, nil)
		spoiled().wantEnvelope(t, 401, "API_KEY_INVALID")
		s.auth.put(s.auth.key, &authv1.SessionRecord{Principal: narrow, AccountSuspended: true})
		spoiled().wantEnvelope(t, 403, "DEVELOPER_ACCOUNT_SUSPENDED")
		s.auth.put(s.auth.key, &authv1.SessionRecord{Principal: narrow})
		spoiled().wantEnvelope(t, 403, "API_KEY_INSUFFICIENT_SCOPE")
		s.auth.put(s.auth.key, &authv1.SessionRecord{Principal: keyPrincipal()})
		if a := spoiled(); a.StatusCode != map[string]int{"type": 415, "body": 400, "size": 413, "query": 400}[name] {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.body)
		}
	}
	s.ask("POST", "/v1/companies/com_1/jobs", jobBody).wantEnvelope(t, 403, "COMPANY_NOT_MANAGED_BY_APP")

	off := newScene(t, set("VITAE_DEVELOPER_PLATFORM", "off"))
	for _, r := range partnerRoutes {
		off.do(r.method, r.target, "{").wantEnvelope(t, 404, "DEVELOPER_PLATFORM_DISABLED")
	}
}
