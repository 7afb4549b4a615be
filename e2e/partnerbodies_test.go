package e2e_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

// TestUnknownFieldsAreIgnoredUnlessTheyAreTooDeep also takes the faults of a
// syntax that unknown fields can have.
func TestUnknownFieldsAreIgnoredUnlessTheyAreTooDeep(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	for raw, taken := range map[string]bool{
		`{"a":[1,null,{"b":"c"}]}`: true, nested("[", "]", 20): true, `null`: true, `1e999`: false, `"\ud800"`: false,
		nested("[", "]", 1000): false, nested("[", "]", 100_000): false, "\"\xff\"": false, `{"a":1,"a":2}`: false,
	} {
		a := must(p.api.CreateCompany(t.Context(), put(t, world.Company().With("zzz", 1), "zzz", raw)))(t)
		if taken {
			created(t, a)
		} else {
			names(t, a, "zzz")
		}
	}
}

func TestBodiesAreJSONOfAtMostAMebibyte(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	job := p.job(t, company, world.Draft())["id"].(string)
	for name, path := range map[string]string{
		"POST /v1/companies": "/v1/companies", "PATCH company": "/v1/companies/" + company,
		"POST job": "/v1/companies/" + company + "/jobs", "PATCH job": "/v1/jobs/" + job,
	} {
		method, _, _ := strings.Cut(name, " ")
		for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "multipart/form-data; boundary=x", "application/xml", ";"} {
			a := must(p.api.Call(t.Context(), method, path, "{}", "Content-Type", kind))(t)
			refused(t, a, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
		}
		huge := `{"zzz":"` + strings.Repeat("a", 1<<20) + `"}`
		refused(t, must(p.api.Call(t.Context(), method, path, huge))(t), http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
		refused(t, chunked(t, p.api, method, path, huge), http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
	}
	largest := put(t, world.Company().With("zzz", ""), "zzz", hole)
	largest = strings.Replace(largest, hole, `"`+strings.Repeat("a", 1<<20-len(largest)+len(hole)-2)+`"`, 1)
	if len(largest) != 1<<20 {
		t.Fatalf("%d bytes", len(largest))
	}
	created(t, must(p.api.Call(t.Context(), http.MethodPost, "/v1/companies", largest, "Content-Type", "application/json; charset=utf-8"))(t))
}

// chunked sends a body without saying its length.
func chunked(t testing.TB, c partner.Employer, method, path, body string) partner.Answer {
	t.Helper()
	req := must(http.NewRequestWithContext(t.Context(), method, c.BaseURL+path, io.NopCloser(strings.NewReader(body))))(t)
	req.Header.Set("Content-Type", partner.JSON)
	req.Header.Set("Authorization", "Bearer "+c.Key)
	return must(partner.Do(req))(t)
}

func TestUnknownPathsAndMethodsOfThePartnerAPI(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	for _, path := range []string{"/v1/candidates", "/v1/jobs", "/v1/companies/a/b", "/v1/jobs/a/reopen", "/v1/companies/", "/v1/jobs/a/candidates/b"} {
		refused(t, must(p.api.Get(t.Context(), path, ""))(t), http.StatusNotFound, "NOT_FOUND")
	}
	for target, allowed := range map[string]string{
		"PUT /v1/companies": "GET, POST", "DELETE /v1/companies/a": "GET, PATCH", "PUT /v1/jobs/a": "GET, PATCH",
		"GET /v1/jobs/a/publish": "POST", "GET /v1/jobs/a/close": "POST", "PATCH /v1/jobs/a/archive": "POST",
		"POST /v1/jobs/a/candidates": "GET", "DELETE /v1/candidates/a": "GET",
	} {
		method, path, _ := strings.Cut(target, " ")
		a := must(p.api.Call(t.Context(), method, path, nil, "X-HTTP-Method-Override", "GET"))(t)
		refused(t, a, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
		for _, m := range strings.Split(allowed, ", ") {
			if !strings.Contains(a.Header.Get("Allow"), m) {
				t.Errorf("%s: Allow %q, want %s", target, a.Header.Get("Allow"), allowed)
			}
		}
	}
}

func TestStrangeIdsAreUnknownOnes(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	for _, id := range []string{"%00", "%ff", "a%2Fb", "%20", "..", "%2e%2e", "x%0a", "x:y", "x:publish", "*", "{job_id}", "%D9%86", strings.Repeat("x", 6000)} {
		for name, r := range partnerRoutes {
			if r.unknown == (outcome{}) {
				continue
			}
			a := call(t, p.api, name, r.body, things{id, id, id})
			// What cannot be an id at all may be no path of ours either.
			if a.Code() == "NOT_FOUND" {
				refused(t, a, http.StatusNotFound, "NOT_FOUND")
			} else {
				r.unknown.assert(t, a)
			}
		}
	}
}

// TestWhatInternalTeamsMaySendIsUnknownHere: the contracts have fields that REST
// does not read, and names that are not those of the JSON.
func TestWhatInternalTeamsMaySendIsUnknownHere(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	body := world.Company().With("validateOnly", true).With("validate_only", true)
	made := created(t, must(p.api.CreateCompany(t.Context(), body))(t))
	id := made["id"].(string)
	success(t, must(p.api.Company(t.Context(), id))(t))
	invalid(t, must(p.api.CreateCompany(t.Context(), body.Without("employeeCount").With("employee_count", "1-10")))(t), "employeeCount")

	change := world.Fields{"name": "New", "updateMask": "tagline", "update_mask": "tagline", "companyId": "com_x", "company_id": "com_x"}
	got := success(t, must(p.api.PatchCompany(t.Context(), id, change))(t))
	matches(t, "the change", but(made, map[string]any{"name": "New", "updatedAt": timestamp}), got)

	draft := p.job(t, id, world.Draft().With("validateOnly", true).With("companyId", "com_x").With("company_id", "com_x"))
	matches(t, "companyId", id, draft["companyId"])
	for _, query := range []string{"companyId=com_x", "company_id=com_x", "page_size=0"} {
		rows, _ := listed(t, must(p.api.Jobs(t.Context(), id, query))(t))
		matches(t, query, draft["id"], rows[0]["id"])
	}
}
