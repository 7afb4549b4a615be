package partnerapi_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

func TestUnknownPathsAndMethodsOfThePartnerAPI(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	for _, path := range []string{"/v1/candidates", "/v1/jobs", "/v1/companies/a/b", "/v1/jobs/a/reopen", "/v1/companies/", "/v1/jobs/a/candidates/b"} {
		expect.Refused(t, expect.Must(p.API.Get(t.Context(), path, ""))(t), http.StatusNotFound, "NOT_FOUND")
	}
	for target, allowed := range map[string]string{
		"PUT /v1/companies": "GET, POST", "DELETE /v1/companies/a": "GET, PATCH", "PUT /v1/jobs/a": "GET, PATCH",
		"GET /v1/jobs/a/publish": "POST", "GET /v1/jobs/a/close": "POST", "PATCH /v1/jobs/a/archive": "POST",
		"POST /v1/jobs/a/candidates": "GET", "DELETE /v1/candidates/a": "GET",
	} {
		method, path, _ := strings.Cut(target, " ")
		a := expect.Must(p.API.Call(t.Context(), method, path, nil, "X-HTTP-Method-Override", "GET"))(t)
		expect.Refused(t, a, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
		for _, m := range strings.Split(allowed, ", ") {
			if !strings.Contains(a.Header.Get("Allow"), m) {
				t.Errorf("%s: Allow %q, want %s", target, a.Header.Get("Allow"), allowed)
			}
		}
	}
}

func TestStrangeIdsAreUnknownOnes(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	for _, id := range []string{"%00", "%ff", "a%2Fb", "%20", "..", "%2e%2e", "x%0a", "x:y", "x:publish", "*", "{job_id}", "%D9%86", strings.Repeat("x", 6000)} {
		for name, r := range partnerRoutes {
			if r.unknown == (outcome{}) {
				continue
			}
			a := call(t, p.API, name, r.body, things{id, id, id})
			// Some of these make a path that no route has.
			if a.Code() == "NOT_FOUND" {
				expect.Refused(t, a, http.StatusNotFound, "NOT_FOUND")
			} else {
				r.unknown.assert(t, a)
			}
		}
	}
}
