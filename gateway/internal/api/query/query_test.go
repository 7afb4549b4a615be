package query

import (
	"net/url"
	"reflect"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/contract"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

var (
	jobs         = partnercatalogv1.File_vitae_partnercatalog_v1_jobs_proto.Services().ByName("JobService")
	applications = candidatev1.File_vitae_candidate_v1_applications_proto.Services().ByName("ApplicationService")
)

func form(t testing.TB, service protoreflect.ServiceDescriptor, method protoreflect.Name) *Form {
	t.Helper()
	m, err := contract.MethodOf(service, method)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewForm(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParametersHaveJSONNames(t *testing.T) {
	list := form(t, applications, "ListJobApplications")
	for raw, want := range map[string]url.Values{
		"":                                   nil,
		"&&":                                 nil,
		"other=1&other=2&page_size=7&Page=9": nil,
		"jobId=job_2&job_id=job_2":           nil,
		"page=2&pageSize=100&status=withdrawn&query=%D9%84%D9%8A+a%26b": {"page": {"2"}, "page_size": {"100"}, "status": {"7"}, "query": {"لي a&b"}},
		"page=-1&p%61geSize=007": {"page": {"-1"}, "page_size": {"7"}},
		"query=":                 {"query": {""}},
		"query=a;b=c":            {"query": {"a;b=c"}},
	} {
		if got, err := list.Parse(raw); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, %v", raw, got, err)
		}
	}
}

func TestMalformedParametersAreRejected(t *testing.T) {
	list := form(t, applications, "ListJobApplications")
	const stages = "status: must be one of applied, reviewed, shortlisted, interview, offered, rejected, withdrawn"
	for raw, want := range map[string]string{
		"page=":                       "page: must be a whole number",
		"page":                        "page: must be a whole number",
		"page=+1":                     "page: must be a whole number",
		"page=1.0":                    "page: must be a whole number",
		"page=1e3":                    "page: must be a whole number",
		"page=--1":                    "page: must be a whole number",
		"page=%D9%A1":                 "page: must be a whole number",
		"pageSize=2147483648":         "pageSize: is out of range",
		"page=1&page=1":               "page: must not be there twice",
		"page=%zz":                    "page: is not well-formed",
		"status=":                     stages,
		"status=Applied":              stages,
		"status=APPLICATION_STATUS_1": stages,
		"status=unspecified":          stages,
		"status=1":                    stages,
		"status=draft":                stages,
		"query=a%00":                  "query: must hold no NUL character",
		"query=%ff":                   "query: must be valid UTF-8",
		"x=%":                         "query: is not well-formed",
		"%=1":                         "query: is not well-formed",
	} {
		_, err := list.Parse(raw)
		if e, ok := errs.As(err); !ok || e.Code != fault.CodeValidation || e.Message != want {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
}

func TestMethodWithBodyHasNoParameters(t *testing.T) {
	got, err := form(t, jobs, "CreateJob").Parse("saveAs=live&validateOnly=true&idempotencyKey=1")
	if err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func FuzzParse(f *testing.F) {
	list := form(f, applications, "ListJobApplications")
	for _, s := range []string{"page=1&status=applied", "query=%ff&&=", "page=%31;a=b", "page=-0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := list.Parse(raw)
		if _, ok := errs.As(err); err != nil && !ok {
			t.Fatal(err)
		}
		for name, values := range got {
			if len(values) != 1 || !utf8.ValidString(values[0]) {
				t.Fatalf("%q: %s = %q", raw, name, values)
			}
		}
	})
}
