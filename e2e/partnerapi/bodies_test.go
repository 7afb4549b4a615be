package partnerapi_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// TestUnknownFieldsAreIgnoredUnlessTheyAreTooDeep also sends unknown fields that are not
// valid JSON, or not I-JSON: those are refused.
func TestUnknownFieldsAreIgnoredUnlessTheyAreTooDeep(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	for raw, taken := range map[string]bool{
		`{"a":[1,null,{"b":"c"}]}`: true, nested("[", "]", 20): true, `null`: true, `1e999`: false, `"\ud800"`: false,
		nested("[", "]", 1000): false, nested("[", "]", 100_000): false, "\"\xff\"": false, `{"a":1,"a":2}`: false,
	} {
		a := expect.Must(p.API.CreateCompany(t.Context(), put(t, world.Company().With("zzz", 1), "zzz", raw)))(t)
		if taken {
			expect.Created(t, a)
		} else {
			expect.InvalidAt(t, a, "zzz")
		}
	}
}

func TestBodiesAreJSONOfAtMostAMebibyte(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	job := p.Job(t, company, world.Draft())["id"].(string)
	for name, path := range map[string]string{
		"POST /v1/companies": "/v1/companies", "PATCH company": "/v1/companies/" + company,
		"POST job": "/v1/companies/" + company + "/jobs", "PATCH job": "/v1/jobs/" + job,
	} {
		method, _, _ := strings.Cut(name, " ")
		for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "multipart/form-data; boundary=x", "application/xml", ";"} {
			a := expect.Must(p.API.Call(t.Context(), method, path, "{}", "Content-Type", kind))(t)
			expect.Refused(t, a, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
		}
		huge := `{"zzz":"` + strings.Repeat("a", 1<<20) + `"}`
		expect.Refused(t, expect.Must(p.API.Call(t.Context(), method, path, huge))(t), http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
		expect.Refused(t, chunked(t, p.API, method, path, huge), http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
	}
	largest := put(t, world.Company().With("zzz", ""), "zzz", hole)
	largest = strings.Replace(largest, hole, `"`+strings.Repeat("a", 1<<20-len(largest)+len(hole)-2)+`"`, 1)
	if len(largest) != 1<<20 {
		t.Fatalf("%d bytes", len(largest))
	}
	expect.Created(t, expect.Must(p.API.Call(t.Context(), http.MethodPost, "/v1/companies", largest, "Content-Type", "application/json; charset=utf-8"))(t))
}

// chunked sends a body without a Content-Length.
func chunked(t testing.TB, c partner.Employer, method, path, body string) partner.Answer {
	t.Helper()
	req := expect.Must(http.NewRequestWithContext(t.Context(), method, c.BaseURL+path, io.NopCloser(strings.NewReader(body))))(t)
	req.Header.Set("Content-Type", partner.JSON)
	req.Header.Set("Authorization", "Bearer "+c.Key)
	return expect.Must(partner.Do(req))(t)
}

// TestWhatInternalTeamsMaySendIsUnknownHere sends fields of the contracts that the REST
// API does not read, and fields by their names in the contracts.
func TestWhatInternalTeamsMaySendIsUnknownHere(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	body := world.Company().With("validateOnly", true).With("validate_only", true)
	made := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), body))(t))
	id := made["id"].(string)
	expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t))
	expect.Invalid(t, expect.Must(p.API.CreateCompany(t.Context(), body.Without("employeeCount").With("employee_count", "1-10")))(t), "employeeCount")

	change := world.Fields{"name": "New", "updateMask": "tagline", "update_mask": "tagline", "companyId": "com_x", "company_id": "com_x"}
	got := expect.Success(t, expect.Must(p.API.PatchCompany(t.Context(), id, change))(t))
	expect.Matches(t, "the change", expect.But(made, map[string]any{"name": "New", "updatedAt": expect.Timestamp}), got)

	draft := p.Job(t, id, world.Draft().With("validateOnly", true).With("companyId", "com_x").With("company_id", "com_x"))
	expect.Matches(t, "companyId", id, draft["companyId"])
	for _, query := range []string{"companyId=com_x", "company_id=com_x", "page_size=0"} {
		rows, _ := expect.Listed(t, expect.Must(p.API.Jobs(t.Context(), id, query))(t))
		expect.Matches(t, query, draft["id"], rows[0]["id"])
	}
}
