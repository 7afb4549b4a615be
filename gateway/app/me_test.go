package app_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const bearerRealm = `Bearer realm="vitae"`

func TestMeReturnsTokenOwner(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.get("/v1/me")
	want := `{"data":{"id":"usr_1","name":"Layla <&> ليلى","username":"layla","headline":null,"locale":null,"avatarUrl":null,` +
		`"profileUrl":null,"email":"layla@example.com","connection":{"id":"con_1","scopes":["profile","email","cv:read","cv:contact"],` +
		`"cv":null,"createdAt":"2026-03-04T05:06:07.000Z"}},"error":null,"meta":null}`
	if a.StatusCode != 200 || a.body != want {
		t.Errorf("%d\n got %s\nwant %s", a.StatusCode, a.body, want)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Authorization",
		"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	} {
		if got := a.Header.Get(name); got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
	for name := range a.Header {
		if strings.HasPrefix(name, "Grpc-") {
			t.Errorf("gRPC metadata is sent to the client: %s", name)
		}
	}
}

func TestPrincipalCannotBeForged(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.get("/v1/me/cv", "Grpc-Metadata-Vitae-Principal-Bin", "CgNldmls", "X-HTTP-Method-Override", "POST",
		"Grpc-Timeout", "1n", "X-Forwarded-For", "evil", "Te", "trailers", "X-Request-Id", "mine")
	if a.StatusCode != 200 || a.Header.Get("X-Request-Id") == "mine" {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	if got := s.me.principal(); got.GetPersonId() != "usr_1" || got.GetCvLinkUrl() != baseURL+s.linkPath() {
		t.Errorf("principal %v", got)
	}
	if !strings.Contains(a.body, `"pdf":{"url":"`+s.me.principal().GetCvLinkUrl()+`","contentType":"application/pdf"}`) {
		t.Error(a.body)
	}
}

func TestUnauthenticatedRequestsAreRejected(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	const invalid = bearerRealm + `, error="invalid_token", error_description="`
	for name, c := range map[string]struct {
		headers   []string
		challenge string
	}{
		"nothing":        {nil, bearerRealm},
		"Basic":          {[]string{"Authorization", "Basic dTpw"}, bearerRealm},
		"unknown token":  {[]string{"Authorization", "Bearer " + newToken()}, invalid},
		"bad checksum":   {[]string{"Authorization", "Bearer " + newToken()[:50] + "000000"}, invalid},
		"API key":        {[]string{"Authorization", "Bearer " + credential.New(credential.APIKey)}, invalid},
		"refresh token":  {[]string{"Authorization", "Bearer " + credential.New(credential.RefreshToken)}, invalid},
		"two headers":    {[]string{"Authorization", "Bearer " + s.auth.token, "Authorization", "Bearer " + s.auth.token}, invalid},
		"expired record": {[]string{"Authorization", "Bearer " + s.expired()}, invalid},
	} {
		for _, target := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			a := s.do(http.MethodGet, target, "", c.headers...)
			a.wantEnvelope(t, 401, "OAUTH_INVALID_TOKEN")
			got := a.Header.Get("WWW-Authenticate")
			if c.challenge == bearerRealm && got != bearerRealm || !strings.HasPrefix(got, c.challenge) {
				t.Errorf("%s: %s: WWW-Authenticate %q", name, target, got)
			}
		}
	}
	s.do(http.MethodGet, "/v1/me?access_token="+s.auth.token, "").wantEnvelope(t, 401, "OAUTH_INVALID_TOKEN")
}

// expired returns an expired token that the auth service still considers live because its clock is
// behind.
func (s *scene) expired() string {
	token := newToken()
	s.auth.put(token, &authv1.SessionRecord{Principal: fullPrincipal(), ExpiresAt: timestamppb.New(time.Now().Add(-time.Second))})
	return token
}

func TestScopesMatchContract(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for scope, open := range map[string][]string{
		"profile":    {"/v1/me"},
		"cv:read":    {"/v1/me/cv", "/v1/me/cv.pdf"},
		"cv:contact": nil,
		"email":      nil,
	} {
		p := fullPrincipal()
		p.Scopes = []string{scope}
		token := newToken()
		s.auth.put(token, &authv1.SessionRecord{Principal: p})
		for target, needed := range map[string]string{"/v1/me": "profile", "/v1/me/cv": "cv:read", "/v1/me/cv.pdf": "cv:read"} {
			a := s.do(http.MethodGet, target, "", "Authorization", "Bearer "+token)
			if strings.Contains(strings.Join(open, " ")+" ", target+" ") {
				if a.StatusCode != 200 {
					t.Errorf("%s with %s: %d %s", target, scope, a.StatusCode, a.body)
				}
				continue
			}
			a.wantEnvelope(t, 403, "OAUTH_INSUFFICIENT_SCOPE")
			want := bearerRealm + `, error="insufficient_scope", scope="` + needed + `"`
			if got := a.Header.Get("WWW-Authenticate"); got != want {
				t.Errorf("%s with %s: %s", target, scope, got)
			}
		}
	}
}

func TestServiceOutageIsUnavailable(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"auth", "candidate"} {
		s := newScene(t)
		s.stop[part]()
		for _, a := range []answer{s.get("/v1/me"), s.get("/v1/me/cv"), s.get("/v1/me/cv.pdf"), s.link(), s.openPhoto()} {
			a.wantEnvelope(t, 503, "SERVICE_UNAVAILABLE")
			if a.Header.Get("Retry-After") == "" {
				t.Errorf("%s: no Retry-After", part)
			}
		}
	}
}

func TestServiceErrorsHideCause(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.me.set(func(f *fakeMe) { f.fault = errs.New(errs.NotFound, "CV_NOT_FOUND", "There is no CV to share yet.") })
	s.get("/v1/me/cv").wantEnvelope(t, 404, "CV_NOT_FOUND")
	s.get("/v1/me/cv.pdf").wantEnvelope(t, 404, "CV_NOT_FOUND")
	s.link().wantEnvelope(t, 404, "CV_LINK_NOT_FOUND")
	s.me.set(func(f *fakeMe) { f.fault = io.ErrUnexpectedEOF })
	a := s.get("/v1/me")
	a.wantEnvelope(t, 500, "INTERNAL_ERROR")
	if strings.Contains(a.body, "EOF") {
		t.Error(a.body)
	}
	s.me.set(func(f *fakeMe) { f.panic = true })
	s.get("/v1/me/cv").wantEnvelope(t, 500, "INTERNAL_ERROR")
}

func TestETagChangesWithCV(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.get("/v1/me/cv")
	tag := first.Header.Get("ETag")
	if first.StatusCode != 200 || !strings.HasPrefix(tag, `"`) || first.Header.Get("Cache-Control") != "private, no-cache" || first.Header.Get("Vary") != "Authorization" {
		t.Fatalf("%d %v", first.StatusCode, first.Header)
	}
	same := s.get("/v1/me/cv", "If-None-Match", `"x", W/`+tag)
	if same.StatusCode != 304 || same.body != "" || same.Header.Get("ETag") != tag || same.Header.Get("Content-Type") != "" {
		t.Errorf("%d %q %v", same.StatusCode, same.body, same.Header)
	}
	if head := s.do(http.MethodHead, "/v1/me/cv", "", "Authorization", "Bearer "+s.auth.token); head.Header.Get("ETag") != tag || head.StatusCode != 200 {
		t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
	}
	// The response also depends on the connection: here, on the id of its durable link.
	p := fullPrincipal()
	p.CvLinkId = id.New("lnk")
	s.auth.put(s.auth.token, &authv1.SessionRecord{Principal: p})
	if a := s.get("/v1/me/cv", "If-None-Match", tag); a.StatusCode != 200 {
		t.Errorf("different consent: status %d", a.StatusCode)
	}
	s.auth.put(s.auth.token, &authv1.SessionRecord{Principal: fullPrincipal()})
	s.me.set(func(f *fakeMe) { f.title = "!" })
	if a := s.get("/v1/me/cv", "If-None-Match", tag); a.StatusCode != 200 || a.Header.Get("ETag") == tag {
		t.Errorf("changed CV: status %d, %v", a.StatusCode, a.Header)
	}
}
