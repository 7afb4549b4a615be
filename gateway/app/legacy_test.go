package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const goodExchange = `{"client_id":"id","client_secret":"secret","code":"svc_ac_x","grant_type":"authorization_code"}`

func (s *legacyScene) exchange(body string) answer {
	s.t.Helper()
	return s.do(http.MethodPost, "/api/oauth/token", body, "Content-Type", "application/json")
}

func (s *legacyScene) bearer(method, path, token string) answer {
	s.t.Helper()
	return s.do(method, path, "", "Authorization", "Bearer "+token)
}

func (s *legacyScene) profile() answer {
	s.t.Helper()
	return s.bearer(http.MethodGet, "/api/oauth/profile", s.token)
}

// wantLegacy checks an error response of the legacy interface.
func (a answer) wantLegacy(t *testing.T, status int, code string) {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("%d %q: %v", a.StatusCode, a.body, err)
	}
	if a.StatusCode != status || body["success"] != false || body["code"] != code || body["message"] == "" || len(body) != 3 {
		t.Errorf("got %d %s, want %d %s", a.StatusCode, a.body, status, code)
	}
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: headers %v", code, a.Header)
	}
	if challenge := a.Header.Get("WWW-Authenticate"); (status == 401) != strings.HasPrefix(challenge, "Bearer ") {
		t.Errorf("%s: challenge %q", code, challenge)
	}
}

// hourlyLeft returns the number of requests left this hour according to the headers, or -1 if they
// are missing.
func (a answer) hourlyLeft(t *testing.T) int {
	t.Helper()
	if a.Header.Get("X-RateLimit-Limit") == "" {
		return -1
	}
	reset, err := strconv.ParseInt(a.Header.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil || a.Header.Get("X-RateLimit-Limit") != "100" || reset%3600 != 0 || reset < time.Now().Unix()-60 || a.Header.Get("RateLimit") == "" {
		t.Errorf("%v", a.Header)
	}
	left, err := strconv.Atoi(a.Header.Get("X-RateLimit-Remaining"))
	if err != nil {
		t.Error(err)
	}
	return left
}

func TestLegacyResponsesHaveFormat(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	for want, a := range map[string]answer{
		`{"success":true,"data":{"access_token":"svc_at_x","token_type":"Bearer","expires_in":3600,"scope":"profile:read"}}`: s.exchange(goodExchange),
		`{"success":true,"data":{"name":"Layla \u003c\u0026\u003e ليلى"}}`:                                                   s.profile(),
		`{"success":true,"message":"The access token is revoked."}`:                                                          s.bearer(http.MethodPost, "/api/oauth/revoke", s.token),
	} {
		if a.StatusCode != http.StatusOK || a.body != want || a.Header.Get("Content-Type") != "application/json" || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %v\n got %s\nwant %s", a.StatusCode, a.Header, a.body, want)
		}
	}
	hash := credential.Hash(s.token)
	if len(s.legacy.revoked) != 1 || string(s.legacy.revoked[0]) != string(hash[:]) || len(s.legacy.exchanged) != 1 || s.legacy.exchanged[0] != "svc_ac_x" {
		t.Errorf("auth revoked %x and exchanged %v", s.legacy.revoked, s.legacy.exchanged)
	}
	if link := s.legacy.seen.GetCvLinkUrl(); s.legacy.seen.GetPersonId() != "usr_1" || !strings.HasPrefix(link, baseURL+"/v1/cv-links/") {
		t.Errorf("candidate received the principal %v", s.legacy.seen)
	}
}

func TestLegacyProfileHasAllFields(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	text, year := proto.String, proto.Int32
	s.legacy.set(func(f *fakeLegacy) {
		f.profile = &candidatev1.LegacyProfile{
			Name: text("n"), Email: text("e"), PhoneNumber: text("p"), Location: text("l"), Headline: text("h"), CvUrl: text("c"), ProfilePicture: text("pp"),
			Skills: []string{"s"}, Languages: []string{"la"},
			Experience: []*candidatev1.LegacyExperience{
				{Title: "t", Company: "c", Location: text("l"), StartDate: text("2019-01"), EndDate: text("2020"), Description: text("d")}, {Current: true},
			},
			Education:      []*candidatev1.LegacyEducation{{Degree: text("d"), Institution: "i", GraduationYear: year(2012), Field: text("f")}, {}},
			Certifications: []*candidatev1.LegacyCertification{{Name: "n", Issuer: "i", Year: year(2021)}, {}},
			SocialLinks:    &candidatev1.LegacySocialLinks{Linkedin: text("in"), Github: text("gh"), Portfolio: text("po")},
		}
	})
	const want = `{"success":true,"data":{"name":"n","email":"e","phoneNumber":"p","location":"l","headline":"h","cvUrl":"c","profilePicture":"pp",` +
		`"skills":["s"],"experience":[{"title":"t","company":"c","location":"l","startDate":"2019-01","endDate":"2020","current":false,"description":"d"},` +
		`{"title":"","company":"","current":true}],"education":[{"degree":"d","institution":"i","graduationYear":2012,"field":"f"},{"institution":""}],` +
		`"certifications":[{"name":"n","issuer":"i","year":2021},{"name":"","issuer":""}],"languages":["la"],` +
		`"socialLinks":{"linkedin":"in","github":"gh","portfolio":"po"}}}`
	if a := s.profile(); a.body != want {
		t.Errorf("\n got %s\nwant %s", a.body, want)
	}
}

func TestServiceErrorsHaveLegacyCodes(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	for _, c := range []struct {
		err    *errs.Error
		status int
		code   string
	}{
		{errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "x"), 400, "INVALID_CODE"},
		{errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "x"), 400, "INVALID_REQUEST"},
		{errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "x"), 401, "INVALID_CLIENT"},
		{errs.New(errs.Unauthenticated, "CREDENTIAL_UNKNOWN", "x"), 401, "UNAUTHORIZED"},
		{errs.New(errs.Unauthenticated, "CREDENTIAL_EXPIRED", "x"), 401, "TOKEN_EXPIRED"},
		{errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "x"), 403, "ACCESS_DENIED"},
		{errs.New(errs.Denied, "OAUTH_INSUFFICIENT_SCOPE", "x"), 403, "ACCESS_DENIED"},
		{errs.New(errs.NotFound, "PROFILE_NOT_FOUND", "x"), 404, "NOT_FOUND"},
		{errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "pgx is down"), 503, "SERVICE_UNAVAILABLE"},
		{errs.New(errs.Internal, "WHATEVER", "pgx"), 500, "INTERNAL_ERROR"},
		{errs.New(errs.Invalid, "INVALID_ARGUMENT", "client.client_id: x"), 400, "INVALID_REQUEST"},
	} {
		s.legacy.set(func(f *fakeLegacy) { f.fault = c.err })
		for _, a := range []answer{s.exchange(goodExchange), s.profile(), s.bearer(http.MethodPost, "/api/oauth/revoke", s.token)} {
			a.wantLegacy(t, c.status, c.code)
			if (a.Header.Get("Retry-After") != "") != (c.status == 503) || strings.Contains(a.body, "pgx") {
				t.Errorf("%s: %s %v", c.code, a.body, a.Header)
			}
		}
	}
}

// (behaviour: legacy#token-request)
func TestLegacyTokenRequestIsStrictJSON(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	const path, jsonType = "/api/oauth/token", "application/json"
	for name, a := range map[string]answer{
		"two content types":       s.do(http.MethodPost, path, goodExchange, "Content-Type", jsonType, "Content-Type", "text/plain"),
		"a content coding":        s.do(http.MethodPost, path, goodExchange, "Content-Type", jsonType, "Content-Encoding", "gzip"),
		"the secret in the query": s.do(http.MethodPost, path+"?client_secret=secret", goodExchange, "Content-Type", jsonType),
		"the code in the query":   s.do(http.MethodPost, path+"?x=%zz&code=", goodExchange, "Content-Type", jsonType),
	} {
		if a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.body)
		}
		a.wantLegacy(t, 400, "INVALID_REQUEST")
	}
	if len(s.legacy.exchanged) > 0 {
		t.Errorf("exchanged %v", s.legacy.exchanged)
	}
	a := s.do(http.MethodPost, path+"?utm=1", goodExchange, "Content-Type", "Application/JSON;charset=UTF-8", "Content-Encoding", "identity")
	if a.StatusCode != http.StatusOK {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

func TestExpiredLegacyTokenHasOwnCode(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	aged := newToken() // a new token, because the gateway caches expired ones
	s.auth.put(aged, &authv1.SessionRecord{Principal: legacyPrincipal()})
	s.auth.fail(errs.New(errs.Unauthenticated, "CREDENTIAL_EXPIRED", "x"))
	s.bearer(http.MethodGet, "/api/oauth/profile", aged).wantLegacy(t, 401, "TOKEN_EXPIRED")
	s.auth.fail(errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "x"))
	s.profile().wantLegacy(t, 401, "UNAUTHORIZED")
	s.auth.fail(errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "x"))
	s.profile().wantLegacy(t, 503, "SERVICE_UNAVAILABLE")
	s.auth.fail(errs.New(errs.Unauthenticated, "CREDENTIAL_UNKNOWN", "x"))
	s.profile().wantLegacy(t, 401, "UNAUTHORIZED")
	s.auth.fail(nil)
	for name, token := range map[string]string{"a newer token": s.auth.token, "an API key": s.auth.key, "no token": "", "a malformed token": "svc_at_x"} {
		a := s.bearer(http.MethodGet, "/api/oauth/profile", token)
		a.wantLegacy(t, 401, "UNAUTHORIZED")
		if a.hourlyLeft(t) != -1 {
			t.Errorf("a request with %s is counted", name)
		}
	}
	if s.legacy.seen != nil {
		t.Error("the gateway called candidate")
	}
}

func TestLegacyTokenIsRejectedUnderV1(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	if a := s.profile(); a.StatusCode != http.StatusOK { // caches the token's account
		t.Fatal(a.body)
	}
	server := httptest.NewServer(s.gateway.API())
	t.Cleanup(server.Close)
	s.url = server.URL
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
		a := s.bearer(http.MethodGet, path, s.token)
		a.wantEnvelope(t, 401, "OAUTH_INVALID_TOKEN")
		if a.quotaLeft(t) != -1 {
			t.Errorf("%s: the request counts against the budget", path)
		}
	}
	s.bearer(http.MethodGet, "/v1/companies", s.token).wantEnvelope(t, 401, "API_KEY_INVALID")
}

func TestLegacyIsNotFoundWhilePlatformIsOff(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t, set("VITAE_DEVELOPER_PLATFORM", "off"))
	for _, a := range []answer{s.authorize("client_id=x"), s.exchange(goodExchange), s.profile(), s.bearer(http.MethodPost, "/api/oauth/revoke", s.token)} {
		a.wantLegacy(t, 404, "DEVELOPER_PLATFORM_DISABLED")
	}
	s.do(http.MethodGet, "/nothing", "").wantLegacy(t, 404, "NOT_FOUND")
	s.do(http.MethodPut, "/api/oauth/token", "").wantLegacy(t, 405, "METHOD_NOT_ALLOWED")
}

func TestLegacyRequestsAreReportedUnmetered(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	s.failing(errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "x"))
	want := map[string]string{
		s.profile().Header.Get("X-Request-Id"):                "GET /api/oauth/profile con_9 app_9 profile",
		s.exchange(goodExchange).Header.Get("X-Request-Id"):   "POST /api/oauth/token  app_9 ",
		s.exchange(`{"code":1}`).Header.Get("X-Request-Id"):   "",
		s.authorize("client_id=x").Header.Get("X-Request-Id"): "",
	}
	entries, _ := s.auth.awaitReports(t, 2)
	for id, line := range want {
		e := entries[id]
		if got := e.GetMethod() + " " + e.GetRoute() + " " + e.GetConnectionId() + " " + e.GetAppId() + " " + e.GetReads(); line != "" && (got != line || e.GetAccountId() != "dev_9" || e.GetMetered()) {
			t.Errorf("%v, want %s", e, line)
		} else if line == "" && e != nil {
			t.Errorf("reported %v", e)
		}
	}
}
