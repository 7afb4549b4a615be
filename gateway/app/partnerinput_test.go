package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func (a answer) message(t *testing.T) string {
	t.Helper()
	var body struct{ Error struct{ Message string } }
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("%s: %v", a.body, err)
	}
	return body.Error.Message
}

func TestOnlyPlainJSONIsRead(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for name, headers := range map[string][]string{
		"no type":     nil,
		"form":        {"Content-Type", formType},
		"text":        {"Content-Type", "text/json"},
		"merge patch": {"Content-Type", "application/merge-patch+json"},
		"not a type":  {"Content-Type", "application/json; ="},
		"two types":   {"Content-Type", "application/json", "Content-Type", "application/json"},
		"gzip":        {"Content-Type", "application/json", "Content-Encoding", "gzip"},
		"both":        {"Content-Type", "application/json", "Content-Encoding", "identity", "Content-Encoding", "br"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.do("POST", "/v1/companies", companyBody, append(headers, "Authorization", "Bearer "+s.auth.key)...)
			a.wantEnvelope(t, 415, "UNSUPPORTED_MEDIA_TYPE")
		})
	}
	for _, headers := range [][]string{
		{"Content-Type", "application/json; charset=utf-8"}, {"Content-Type", "Application/JSON"},
		{"Content-Type", "application/json", "Content-Encoding", "Identity"},
	} {
		if a := s.do("POST", "/v1/companies", companyBody, append(headers, "Authorization", "Bearer "+s.auth.key)...); a.StatusCode != 201 {
			t.Errorf("%v: %d %s", headers, a.StatusCode, a.body)
		}
	}
}

// unannounced hides the length of a body so that it is sent in chunks.
type unannounced struct{ io.Reader }

func TestBodySizeIsLimited(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	pad := func(size int) string { return companyBody + strings.Repeat(" ", size-len(companyBody)) }
	if a := s.ask("POST", "/v1/companies", pad(1<<20)); a.StatusCode != 201 {
		t.Errorf("1 MiB: %d %s", a.StatusCode, a.body)
	}
	s.ask("POST", "/v1/companies", pad(1<<20+1)).wantEnvelope(t, 413, "PAYLOAD_TOO_LARGE")
	s.ask("POST", "/v1/jobs/job_1/close", pad(1<<20+1)).wantEnvelope(t, 413, "PAYLOAD_TOO_LARGE")

	r, err := http.NewRequestWithContext(t.Context(), "POST", s.url+"/v1/companies", unannounced{strings.NewReader(pad(1<<20 + 1))})
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.auth.key)
	r.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 413 {
		t.Errorf("without Content-Length: %d", resp.StatusCode)
	}
}

func TestBodyErrorsNamePath(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for body, want := range map[string]string{
		" ":                         "body: must not be empty",
		"{":                         "body: is not well-formed JSON",
		"[]":                        "body: must be an object, not an array",
		`{"name":"a","name":"b"}`:   "name: must not be there twice",
		`{"x":{"y":1,"y":2}}`:       "x.y: must not be there twice",
		"{\"name\":\"\xff\"}":       "name: must be valid UTF-8",
		`{"name":"\u0000"}`:         "name: must hold no NUL character",
		`{"x":["\ud800"]}`:          "x[0]: must hold no half of a surrogate pair",
		`{"name":null}`:             "name: must be a string, not null",
		`{"name":7}`:                "name: must be a string, not a number",
		`{"name":"n"}`:              "industry: is required",
		`{"name":"n"} x`:            "body: is not well-formed JSON at byte 13",
		`{"name":"n"}{}`:            "body: is not well-formed JSON at byte 12",
		`{"Name":"n"}`:              "name: is required",
		`{"employee_count":"1"}`:    "name: is required",
		strings.Repeat(`{"a":`, 99): "a.a.",
	} {
		a := s.ask("POST", "/v1/companies", body)
		a.wantEnvelope(t, 400, "PUBLIC_API_VALIDATION_ERROR")
		if got := a.message(t); !strings.HasPrefix(got, want) || !utf8.ValidString(got) {
			t.Errorf("%s\ngot  %s\nwant %s", body, got, want)
		}
	}
	s.ask("POST", "/v1/companies", "", "Content-Type", "application/json").wantEnvelope(t, 400, "PUBLIC_API_VALIDATION_ERROR")
	if _, _, _, calls := s.partner.last(); calls != 0 {
		t.Errorf("%d calls reached the service", calls)
	}
}

func TestBodySetsOnlyBodyFields(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	hidden := `,"companyId":"com_2","validateOnly":true,"updateMask":{"paths":["x"]},"company_id":"com_2","validate_only":true}`
	s.ask("POST", "/v1/companies/com_1/jobs?companyId=com_2&validateOnly=true", strings.TrimSuffix(jobBody, "}")+hidden)
	request, _, _, _ := s.partner.last()
	if r, ok := request.(*partnercatalogv1.CreateJobRequest); !ok || r.GetCompanyId() != "com_1" || r.GetValidateOnly() {
		t.Errorf("got %v", request)
	}
	s.ask("PATCH", "/v1/companies/com_1", `{"name":"n"`+hidden)
	request, _, _, _ = s.partner.last()
	if r, ok := request.(*partnercatalogv1.UpdateCompanyRequest); !ok || r.GetCompanyId() != "com_1" || strings.Join(r.GetUpdateMask().GetPaths(), ",") != "name" {
		t.Errorf("got %v", request)
	}
}

func TestJobActionsIgnoreBody(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, move := range []string{"publish", "close", "archive"} {
		for _, headers := range [][]string{nil, {"Content-Type", "application/json"}, {"Content-Type", formType}, {"Content-Type", "x", "Content-Encoding", "gzip"}} {
			for _, body := range []string{"", "{", `{"jobId":"job_2"}`, "jobId=job_2"} {
				a := s.do("POST", "/v1/jobs/job_1/"+move+"?jobId=job_2", body, append(headers, "Authorization", "Bearer "+s.auth.key)...)
				if a.StatusCode != 200 || !strings.HasPrefix(a.body, `{"data":{"id":"job_1",`) {
					t.Errorf("%s, %v, %s: %d %s", move, headers, body, a.StatusCode, a.body)
				}
			}
		}
	}
}

func TestQueryErrorsNameParameter(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for target, want := range map[string]string{
		"/v1/companies?page=0.5":                "page: must be a whole number",
		"/v1/companies?pageSize=":               "pageSize: must be a whole number",
		"/v1/companies?page=1&page=2":           "page: must not be there twice",
		"/v1/companies?page=99999999999":        "page: is out of range",
		"/v1/companies/c/jobs?status=":          "status: must be one of draft, active, closed, archived",
		"/v1/companies/c/jobs?status=DRAFT":     "status: must be one of draft, active, closed, archived",
		"/v1/jobs/j/candidates?status=draft":    "status: must be one of applied, reviewed,",
		"/v1/jobs/j/candidates?query=%00":       "query: must hold no NUL character",
		"/v1/jobs/j/candidates?query=%fe":       "query: must be valid UTF-8",
		"/v1/jobs/j/candidates?query=a&query=a": "query: must not be there twice",
		"/v1/jobs/j?x=%zz":                      "query: is not well-formed",
	} {
		a := s.ask("GET", target, "")
		a.wantEnvelope(t, 400, "PUBLIC_API_VALIDATION_ERROR")
		if got := a.message(t); !strings.HasPrefix(got, want) {
			t.Errorf("%s\ngot  %s\nwant %s", target, got, want)
		}
	}
	if _, _, _, calls := s.partner.last(); calls != 0 {
		t.Errorf("%d calls reached the service", calls)
	}
	if a := s.ask("GET", "/v1/jobs/j/candidates?page_size=x&Status=x&limit=9", ""); a.StatusCode != 200 {
		t.Errorf("unknown parameters: %d %s", a.StatusCode, a.body)
	}
}

func TestIDIsPassedUnchanged(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for escaped, want := range map[string]string{
		"a:publish": "a:publish", "%25zz": "%zz", "%2525": "%25", "a%20b+c": "a b+c", "-": "-", "%D9%84": "ل", "..": "..", "%7Bx%7D": "{x}",
	} {
		a := s.ask("GET", "/v1/candidates/"+escaped, "")
		request, _, _, _ := s.partner.last()
		if r, ok := request.(*candidatev1.GetApplicationRequest); a.StatusCode != 200 || !ok || r.GetApplicationId() != want {
			t.Errorf("%s: %d, %v", escaped, a.StatusCode, request)
		}
	}
	for _, escaped := range []string{"%ff", "a%c3", "%ed%a0%80", "%00", "a%2Fb"} {
		for _, target := range []string{"/v1/candidates/" + escaped, "/v1/companies/" + escaped + "/jobs", "/v1/jobs/" + escaped} {
			s.ask("GET", target, "").wantEnvelope(t, 404, "NOT_FOUND")
		}
		s.ask("POST", "/v1/jobs/"+escaped+"/close", "").wantEnvelope(t, 404, "NOT_FOUND")
	}
}
