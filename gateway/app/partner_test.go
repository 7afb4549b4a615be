package app_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	pagingv1 "vitae.internal/proto/gen/vitae/paging/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

const (
	companyBody = `{"name":"Acme","industry":"i","employeeCount":"1-10","location":"l","description":"d"}`
	jobBody     = `{"basics":{"title":"t","workMode":"remote","employment":"contract","seniority":"mid"},` +
		`"content":{"summary":"","responsibilities":[],"requirements":[]},"distribution":"hidden"}`
)

type partnerRoute struct {
	method, target, body, scope string
	status                      int
	// request is the request that the service must receive.
	request proto.Message
}

// partnerRoutes repeats the routes of the partner API
// (behaviour: companies#company-endpoints, jobs#job-endpoints, applications#application-endpoints).
var partnerRoutes = []partnerRoute{
	{"GET", "/v1/companies?page=2&pageSize=7", "", "companies:read", 200, &partnercatalogv1.ListCompaniesRequest{Page: proto.Int32(2), PageSize: proto.Int32(7)}},
	{"POST", "/v1/companies", companyBody, "companies:write", 201, &partnercatalogv1.CreateCompanyRequest{
		Name: "Acme", Industry: "i", EmployeeCount: "1-10", Location: "l", Description: "d"}},
	{"GET", "/v1/companies/com_1", "", "companies:read", 200, &partnercatalogv1.GetCompanyRequest{CompanyId: "com_1"}},
	{"PATCH", "/v1/companies/com_1", `{"tagline":null,"name":"B"}`, "companies:write", 200, &partnercatalogv1.UpdateCompanyRequest{
		CompanyId: "com_1", Name: "B", UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"tagline", "name"}}}},
	{"GET", "/v1/companies/com_1/jobs?status=archived", "", "jobs:read", 200, &partnercatalogv1.ListJobsRequest{
		CompanyId: "com_1", Status: partnercatalogv1.JobStatus_JOB_STATUS_ARCHIVED.Enum()}},
	{"POST", "/v1/companies/com_1/jobs", jobBody, "jobs:write", 201, &partnercatalogv1.CreateJobRequest{
		CompanyId: "com_1", Content: &partnercatalogv1.JobContent{}, Distribution: partnercatalogv1.Distribution_DISTRIBUTION_HIDDEN,
		Basics: &partnercatalogv1.JobBasics{Title: "t", WorkMode: partnercatalogv1.WorkMode_WORK_MODE_REMOTE,
			Employment: partnercatalogv1.Employment_EMPLOYMENT_CONTRACT, Seniority: partnercatalogv1.Seniority_SENIORITY_MID}}},
	{"GET", "/v1/jobs/job_1", "", "jobs:read", 200, &partnercatalogv1.GetJobRequest{JobId: "job_1"}},
	{"PATCH", "/v1/jobs/job_1", `{"compensation":null}`, "jobs:write", 200, &partnercatalogv1.UpdateJobRequest{
		JobId: "job_1", UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"compensation"}}}},
	{"POST", "/v1/jobs/job_1/publish", "", "jobs:write", 200, &partnercatalogv1.PublishJobRequest{JobId: "job_1"}},
	{"POST", "/v1/jobs/job_1/close", "", "jobs:write", 200, &partnercatalogv1.CloseJobRequest{JobId: "job_1"}},
	{"POST", "/v1/jobs/job_1/archive", "", "jobs:write", 200, &partnercatalogv1.ArchiveJobRequest{JobId: "job_1"}},
	{"GET", "/v1/jobs/job_1/candidates?query=%D9%84&status=offered", "", "candidates:read", 200, &candidatev1.ListJobApplicationsRequest{
		JobId: "job_1", Query: "ل", Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_OFFERED.Enum()}},
	{"GET", "/v1/candidates/apl_1", "", "candidates:read", 200, &candidatev1.GetApplicationRequest{ApplicationId: "apl_1"}},
}

func TestPartnerRoutesReachTheirMethods(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, r := range partnerRoutes {
		a := s.ask(r.method, r.target, r.body)
		request, p, _, _ := s.partner.last()
		if a.StatusCode != r.status || !proto.Equal(request, r.request) || !proto.Equal(p, keyPrincipal()) {
			t.Errorf("%s %s: %d %s\ngot  %v\nwant %v\nprincipal %v", r.method, r.target, a.StatusCode, a.body, request, r.request, p)
		}
		if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Vary") != "Authorization" || a.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: headers %v", r.method, r.target, a.Header)
		}
	}
}

// TestEveryAnnotatedMethodIsServed fails if a method with an HTTP annotation is not served or is missing from
// partnerRoutes.
func TestEveryAnnotatedMethodIsServed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	served := 0
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				d := methods.Get(j)
				if !proto.HasExtension(d.Options(), annotations.E_Http) || !strings.HasPrefix(string(d.FullName()), "vitae.") {
					continue
				}
				served++
				rule := proto.GetExtension(d.Options(), annotations.E_Http).(*annotations.HttpRule)
				method, template := "GET", rule.GetGet()
				if p := rule.GetPost(); p != "" {
					method, template = "POST", p
				} else if p := rule.GetPatch(); p != "" {
					method, template = "PATCH", p
				}
				if a := s.do(method, template, ""); a.StatusCode != 401 {
					t.Errorf("%s: %s %s: %d %s", d.FullName(), method, template, a.StatusCode, a.body)
				}
				access := proto.GetExtension(d.Options(), optionsv1.E_Access).(*optionsv1.Access)
				named := slices.ContainsFunc(partnerRoutes, func(r partnerRoute) bool {
					return r.request.ProtoReflect().Descriptor() == d.Input() && r.scope == access.GetScope()
				})
				if access.GetCredential() == optionsv1.Credential_CREDENTIAL_API_KEY && !named {
					t.Errorf("%s with the scope %s is not in partnerRoutes", d.FullName(), access.GetScope())
				}
			}
		}
		return true
	})
	if served != len(partnerRoutes)+2 {
		t.Errorf("%d methods have HTTP annotations, but the tests cover %d routes", served, len(partnerRoutes)+2)
	}
}

func TestServiceErrorsKeepCodeAndField(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, c := range []struct {
		err     error
		status  int
		code    string
		message string
	}{
		{errs.New(errs.NotFound, "JOB_NOT_FOUND", "There is no job with this id."), 404, "JOB_NOT_FOUND", "There is no job with this id."},
		{errs.New(errs.NotFound, "APPLICATION_NOT_FOUND", "No."), 404, "APPLICATION_NOT_FOUND", "No."},
		{errs.New(errs.Precondition, "PUBLIC_API_VALIDATION_ERROR", "a live job must be closed first").WithField("status"), 400, "PUBLIC_API_VALIDATION_ERROR", "status: a live job must be closed first"},
		{errs.New(errs.Invalid, "PUBLIC_API_VALIDATION_ERROR", "must not be blank").WithField("content.nice_to_have[3]"), 400, "PUBLIC_API_VALIDATION_ERROR", "content.niceToHave[3]: must not be blank"},
	} {
		s.partner.willReturn(nil, c.err)
		a := s.ask("POST", "/v1/jobs/job_1/archive", "")
		a.wantEnvelope(t, c.status, c.code)
		if !strings.Contains(a.body, `"message":"`+c.message+`"`) {
			t.Error(a.body)
		}
	}
	s.partner.willReturn(nil, errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", "secret"))
	s.ask("GET", "/v1/jobs/job_1", "").wantEnvelope(t, 500, "INTERNAL_ERROR")
	s.partner.set(func(f *fakePartner) {
		f.respond = func(proto.Message) (proto.Message, error) { panic("partnercatalog") }
	})
	s.ask("GET", "/v1/jobs/job_1", "").wantEnvelope(t, 500, "INTERNAL_ERROR")
	s.stop["partnercatalog"]()
	a := s.ask("GET", "/v1/companies", "")
	a.wantEnvelope(t, 503, "SERVICE_UNAVAILABLE")
	if err := s.gateway.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "partnercatalog") {
		t.Errorf("ready: %v", err)
	}
}

func TestListsHavePageInMeta(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.partner.willReturn(&partnercatalogv1.ListCompaniesResponse{Paging: &pagingv1.Paging{Page: 3, PageSize: 25, Total: 9, TotalPages: 1}}, nil)
	if a := s.ask("GET", "/v1/companies?page=3", ""); a.body != `{"data":[],"error":null,"meta":{"page":3,"pageSize":25,"total":9,"totalPages":1}}` {
		t.Error(a.body)
	}
	s.partner.willReturn(&partnercatalogv1.ListJobsResponse{Jobs: []*partnercatalogv1.Job{{Id: "job_2"}, {Id: "job_1"}}, Paging: &pagingv1.Paging{Total: 2}}, nil)
	a := s.ask("GET", "/v1/companies/com_1/jobs", "")
	if !strings.HasPrefix(a.body, `{"data":[{"id":"job_2","companyId":"",`) || !strings.HasSuffix(a.body, `],"error":null,"meta":{"page":0,"pageSize":0,"total":2,"totalPages":0}}`) {
		t.Error(a.body)
	}
	head := s.ask("HEAD", "/v1/companies/com_1/jobs", "")
	if head.StatusCode != 200 || head.body != "" || head.ContentLength != int64(len(a.body)) {
		t.Errorf("HEAD: %d, Content-Length %d", head.StatusCode, head.ContentLength)
	}
}

func TestJobMatchesContract(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.partner.willReturn(&partnercatalogv1.GetJobResponse{Job: &partnercatalogv1.Job{
		Id: "job_1", CompanyId: "com_1", Title: "t", Status: partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE,
		Salary:       &partnercatalogv1.Salary{Min: proto.Float64(1200.5), Max: proto.Float64(15000), Currency: "AED", Period: partnercatalogv1.SalaryPeriod_SALARY_PERIOD_MONTHLY},
		Distribution: partnercatalogv1.Distribution_DISTRIBUTION_TABBIO_ONLY, ApplicationCount: 3, CreatedAt: connectedAt, UpdatedAt: connectedAt,
		Confidential: &partnercatalogv1.JobConfidentiality{Enabled: true, PublicLabel: wrapperspb.String("A bank")},
	}}, nil)
	const want = `{"data":{"id":"job_1","companyId":"com_1","title":"t","description":null,"status":"active","workMode":null,"employment":null,` +
		`"seniority":null,"department":null,"city":null,"country":null,"location":null,"salary":{"min":1200.5,"max":15000,"currency":"AED","period":"monthly"},` +
		`"salaryVisible":false,"distribution":"tabbio_only","responsibilities":[],"requirements":[],"niceToHave":[],"benefits":[],"screeningQuestions":[],` +
		`"eligibility":null,"applicationCount":3,"postedAt":null,"createdAt":"2026-03-04T05:06:07.000Z","updatedAt":"2026-03-04T05:06:07.000Z",` +
		`"confidential":{"enabled":true,"publicLabel":"A bank"},"workforceProgramme":null},"error":null,"meta":null}`
	if a := s.ask("GET", "/v1/jobs/job_1", ""); a.body != want || a.ContentLength != int64(len(want)) {
		t.Errorf("got  %s\nwant %s", a.body, want)
	}
}

func TestIdempotentRepeatIsMarked(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.partner.willReturn(&partnercatalogv1.CreateCompanyResponse{Company: &partnercatalogv1.Company{Id: "com_1"}, Existed: true}, nil)
	if a := s.ask("POST", "/v1/companies", companyBody); a.StatusCode != 200 || strings.Contains(a.body, "existed") {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if a := s.ask("POST", "/v1/companies/com_1/jobs", jobBody); a.StatusCode != 201 || a.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("first: %d %v", a.StatusCode, a.Header)
	}
	s.partner.willReturn(&partnercatalogv1.CreateJobResponse{Job: &partnercatalogv1.Job{Id: "job_1"}, Replayed: true}, nil)
	if a := s.ask("POST", "/v1/companies/com_1/jobs", jobBody); a.StatusCode != 201 || a.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("repeat: %d %v", a.StatusCode, a.Header)
	}
	s.partner.willReturn(&partnercatalogv1.CreateJobResponse{Job: &partnercatalogv1.Job{Status: 99}, Replayed: true}, nil)
	a := s.ask("POST", "/v1/companies/com_1/jobs", jobBody)
	a.wantEnvelope(t, 500, "INTERNAL_ERROR")
	if a.Header.Get("Idempotent-Replayed") != "" {
		t.Error("an error response has the header Idempotent-Replayed")
	}
}

func TestIdempotencyKeyIsPassedOn(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	keys := func(answer) []string {
		_, _, keys, _ := s.partner.last()
		return keys
	}
	const target = "/v1/companies/com_1/jobs"
	for _, c := range [][]string{{"k-1"}, {"a b,c"}, {""}, {"one", "two"}, {strings.Repeat("x", 300)}} {
		var headers []string
		for _, line := range c {
			headers = append(headers, "Idempotency-Key", line)
		}
		if got := keys(s.ask("POST", target, jobBody, headers...)); !slices.Equal(got, c) {
			t.Errorf("sent %q, got %q", c, got)
		}
	}
	if got := keys(s.ask("POST", target, jobBody)); got != nil {
		t.Errorf("without a key: %q", got)
	}
	for _, r := range partnerRoutes {
		if r.scope == "jobs:write" && r.status == 201 {
			continue
		}
		if got := keys(s.ask(r.method, r.target, r.body, "Idempotency-Key", "k", "Grpc-Metadata-Idempotency-Key", "k")); got != nil {
			t.Errorf("%s %s: %q", r.method, r.target, got)
		}
	}
	_, _, _, before := s.partner.last()
	for _, bad := range []string{"مفتاح", "a\xffb", "a\tb"} {
		a := s.ask("POST", target, jobBody, "Idempotency-Key", bad)
		a.wantEnvelope(t, 400, "PUBLIC_API_VALIDATION_ERROR")
		if !strings.Contains(a.body, `"message":"Idempotency-Key: `) {
			t.Errorf("%q: %s", bad, a.body)
		}
	}
	if _, _, _, after := s.partner.last(); after != before {
		t.Error("an invalid key was passed on")
	}
}

func TestLoggedRoutesMatchContract(t *testing.T) {
	t.Parallel()
	log := make(lines, 100)
	s := newScene(t, logTo(log))
	s.ask("GET", "/v1/jobs/PATHSECRET/candidates?query=QUERYSECRET", "")
	s.do("GET", "/resumes?signature=QUERYSECRET", "")
	for _, route := range []string{`"route":"/v1/jobs/{jobId}/candidates"`, `"route":"/resumes"`} {
		line := <-log
		for !strings.Contains(line, route) {
			line = <-log
		}
		if strings.Contains(line, "SECRET") || strings.Contains(line, s.auth.key) {
			t.Error(line)
		}
	}
}
