package app_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"vitae.internal/pkg/credential"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// awaitReports waits until the gateway has reported n requests. It returns them by request id.
func (f *fakeAuth) awaitReports(t *testing.T, n int) (map[string]*authv1.RequestEntry, []*authv1.AccountUsage) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		f.mu.Lock()
		entries, counts := slices.Clone(f.reported), slices.Clone(f.counted)
		f.mu.Unlock()
		if len(entries) >= n {
			byID := map[string]*authv1.RequestEntry{}
			for _, e := range entries {
				byID[e.GetRequestId()] = e
			}
			return byID, counts
		}
		select {
		case <-f.reports:
		case <-ctx.Done():
			t.Fatalf("%d requests were reported, want %d", len(entries), n)
		}
	}
}

func TestAccountRequestsAreReported(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	key := keyPrincipal()
	key.ApiKeyId = "key_1"
	s.auth.put(s.auth.key, &authv1.SessionRecord{Principal: key})
	narrow, narrowPrincipal := newToken(), fullPrincipal()
	narrowPrincipal.Scopes = []string{"profile"}
	s.auth.put(narrow, &authv1.SessionRecord{Principal: narrowPrincipal})
	suspended := newToken()
	s.auth.put(suspended, &authv1.SessionRecord{Principal: fullPrincipal(), AccountSuspended: true})

	const token = "con_1 "
	want := map[string]string{}
	for line, a := range map[string]answer{
		token + "GET /v1/me 200 true identity":                           s.get("/v1/me"),
		token + "HEAD /v1/me 200 true identity":                          s.do(http.MethodHead, "/v1/me?page=secret", "", "Authorization", "Bearer "+s.auth.token),
		token + "GET /v1/me/cv 403 true cv":                              s.do(http.MethodGet, "/v1/me/cv", "", "Authorization", "Bearer "+narrow),
		token + "GET /v1/me 403 false identity":                          s.do(http.MethodGet, "/v1/me", "", "Authorization", "Bearer "+suspended),
		token + "GET /v1/me/cv.pdf 200 true pdf":                         s.get("/v1/me/cv.pdf"),
		token + "GET /v1/cv-links/{token} 200 false link":                s.link(),
		token + "GET /v1/photos/{token} 200 false photo":                 s.openPhoto(),
		"key_1 GET /v1/companies/{companyId}/jobs 200 true ":             s.ask(http.MethodGet, "/v1/companies/com_1/jobs", ""),
		"key_1 GET /v1/candidates/{applicationId} 200 true application":  s.ask(http.MethodGet, "/v1/candidates/apl_1", ""),
		"key_1 HEAD /v1/candidates/{applicationId} 200 true application": s.ask(http.MethodHead, "/v1/candidates/apl_1", ""),
		"key_1 GET /v1/jobs/{jobId}/candidates 200 true ":                s.ask(http.MethodGet, "/v1/jobs/job_1/candidates", ""),
		"key_1 POST /v1/companies 400 true ":                             s.ask(http.MethodPost, "/v1/companies", "{}"),
	} {
		want[a.Header.Get("X-Request-Id")] = fmt.Sprint(line, " ", len(a.body))
	}
	for _, unknown := range []answer{ // not logged (behaviour: usage#logged-requests)
		s.do(http.MethodGet, "/v1/me", ""), s.do(http.MethodGet, "/v1/me", "", "Authorization", "Bearer "+newToken()),
		s.do(http.MethodGet, "/v1/companies", "", "Authorization", "Bearer "+credential.New(credential.APIKey)), s.get("/v1/nothing"),
		s.ask(http.MethodGet, "/v1/nothing", ""), s.ask(http.MethodPut, "/v1/companies", "{}"), s.ask(http.MethodGet, "/v1/me", ""), // rejected before the credential is checked
	} {
		if unknown.StatusCode < 400 {
			t.Fatalf("%d %s", unknown.StatusCode, unknown.body)
		}
	}
	entries, counts := s.auth.awaitReports(t, len(want))
	got := map[string]string{}
	for id, e := range entries {
		got[id] = fmt.Sprint(e.GetConnectionId(), e.GetApiKeyId(), " ", e.GetMethod(), " ", e.GetRoute(), " ", e.GetStatus(), " ", e.GetMetered(), " ", e.GetReads(), " ", e.GetBytes())
		if e.GetAccountId() != "dev_1" || e.GetAppId() != "app_1" || e.GetLatency().AsDuration() <= 0 || time.Since(e.GetAt().AsTime()) > time.Hour {
			t.Errorf("%v", e)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("reported\n%v\nwant\n%v", got, want)
	}
	var requests, metered, failed int64
	for _, c := range counts {
		requests, metered, failed = requests+c.GetUsage().GetRequests(), metered+c.GetUsage().GetMetered(), failed+c.GetUsage().GetFailed()
	}
	if requests != 12 || metered != 9 || failed != 3 {
		t.Errorf("counted %d requests, %d metered, %d failed", requests, metered, failed)
	}
}

// jobID is a well-formed job id.
const jobID = "job_0123456789abcdefghijklmnop"

func TestLogEntryHasAllFields(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.auth.put(s.auth.key, planned(keyPrincipal(), 1000, 3))
	long := strings.Repeat("é", 300)
	ask := func(target, agent string) answer {
		return s.do(http.MethodGet, target, "", "Authorization", "Bearer "+s.auth.key, "User-Agent", agent)
	}
	found, bad, other, over := ask("/v1/jobs/"+jobID, "agent/1 (+x) y"), s.ask(http.MethodPost, "/v1/companies", "{}", "User-Agent", "agent/2"), ask("/v1/jobs/not-an-id", long), ask("/v1/jobs/"+jobID, "agent/1")
	over.wantLimited(t, "QUOTA_EXCEEDED")
	entries, counts := s.auth.awaitReports(t, 4)
	describe := func(a answer) string {
		e := entries[a.Header.Get("X-Request-Id")]
		return fmt.Sprint(e.GetErrorCode(), "|", e.GetResourceId(), "|", e.GetUserAgent(), "|", e.GetDayLeft(), " ", e.GetMinuteLeft() > 900, "|", e.GetRefusedBy())
	}
	for a, want := range map[*answer]string{
		&found: "|" + jobID + "|agent/1 (+x) y|2 true|",
		&bad:   "PUBLIC_API_VALIDATION_ERROR||agent/2|1 true|",
		&other: "||" + strings.Repeat("é", 200) + "|0 true|",
		&over:  "QUOTA_EXCEEDED|" + jobID + "|agent/1|0 true|day",
	} {
		if got := describe(*a); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for id, e := range entries {
		if e.GetClientAddress() != "127.0.0.1" {
			t.Errorf("%s has the client address %q", id, e.GetClientAddress())
		}
	}
	var refused, redirected, serverFailed int64
	for _, c := range counts {
		refused, redirected, serverFailed = refused+c.GetUsage().GetRefused(), redirected+c.GetUsage().GetRedirected(), serverFailed+c.GetUsage().GetServerFailed()
	}
	if refused != 1 || redirected != 0 || serverFailed != 0 {
		t.Errorf("%d rejected, %d redirected, %d server errors", refused, redirected, serverFailed)
	}
}

// Clients may send credentials in the wrong place by mistake.
func TestReportsContainNoCredentials(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	secret := credential.New(credential.ClientSecret)
	bearer := []string{"Authorization", "Bearer " + s.auth.key}
	s.ask(http.MethodGet, "/v1/jobs/"+s.auth.key+"?key="+secret, "")
	s.do(http.MethodGet, "/v1/jobs/"+secret, "", append(bearer, "User-Agent", "lib/1 key="+s.auth.key+" "+secret[:40])...)
	s.ask(http.MethodPost, "/v1/companies", `{"name":"canary-body"}`)
	s.ask(http.MethodGet, "/v1/companies?page=1&canary-query=1", "")
	s.link()
	s.openPhoto()
	entries, counts := s.auth.awaitReports(t, 6)
	var reported strings.Builder
	for _, e := range entries {
		reported.WriteString(protojson.Format(e))
	}
	for _, c := range counts {
		reported.WriteString(protojson.Format(c))
	}
	for _, canary := range []string{s.auth.key[7:20], secret[7:20], s.auth.token[7:20], "canary", path.Base(s.linkPath()), path.Base(s.photoPath())} {
		if canary == "" || strings.Contains(reported.String(), canary) {
			t.Errorf("reported %q in %s", canary, reported.String())
		}
	}
}
