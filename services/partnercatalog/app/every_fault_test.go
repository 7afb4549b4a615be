package app_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// fields returns the invalid fields in an error, in order.
func fields(t testing.TB, err error) (list []string) {
	t.Helper()
	e, ok := errs.As(err)
	if !ok || e.Code != invalid {
		t.Errorf("%v, want %s", err, invalid)
		return nil
	}
	for _, v := range e.Violations {
		list = append(list, v.Field)
	}
	return list
}

func TestCreateCompanyReportsEveryFault(t *testing.T) {
	t.Parallel()
	r := start(t)
	existing := createRequest("There")
	existing.Slug, existing.ExternalId = ptr("there"), ptr("e")
	r.create("app_1", existing)

	faulty := &partnercatalogv1.CreateCompanyRequest{
		Name: " ", Industry: "I", EmployeeCount: "a\nb", Location: strings.Repeat("é", 301), Description: "short",
		Slug: ptr("there"), Website: ptr("ftp://a"), Logo: ptr(""), ExternalId: ptr("\x00"),
	}
	written := []string{"name", "employee_count", "location", "description", "website", "logo", "external_id"}
	_, err := r.companies.CreateCompany(r.key("app_1"), faulty)
	if got := fields(t, err); !slices.Equal(got, written) {
		t.Errorf("create: %q, want %q", got, written)
	}
	faulty.ValidateOnly = true
	_, err = r.companies.CreateCompany(r.key("app_1"), faulty)
	if got, want := fields(t, err), append(written, "slug"); !slices.Equal(got, want) {
		t.Errorf("dry run: %q, want %q", got, want)
	}
	if e, _ := errs.As(err); e == nil || e.Violations[len(written)].Description != "is taken" {
		t.Errorf("fault in the slug: %v", err)
	}
	// If the external id belongs to the company that has the slug, Create returns that company.
	faulty.ExternalId = ptr("e")
	_, err = r.companies.CreateCompany(r.key("app_1"), faulty)
	if got, want := fields(t, err), written[:6]; !slices.Equal(got, want) {
		t.Errorf("repeated call: %q, want %q", got, want)
	}
	faulty.Slug = ptr("T")
	_, err = r.companies.CreateCompany(r.key("app_2"), faulty)
	if got, want := fields(t, err), slices.Insert(slices.Clone(written[:6]), 4, "slug"); !slices.Equal(got, want) {
		t.Errorf("malformed slug: %q, want %q", got, want)
	}
	list, err := r.companies.ListCompanies(r.key("app_1"), &partnercatalogv1.ListCompaniesRequest{})
	if err != nil || list.GetPaging().GetTotal() != 1 {
		t.Errorf("a company was created: %v, %v", list, err)
	}
}

func TestUpdateCompanyReportsEveryFault(t *testing.T) {
	t.Parallel()
	r := start(t)
	before := r.full("app_1")
	_, err := r.companies.UpdateCompany(r.key("app_1"), &partnercatalogv1.UpdateCompanyRequest{
		CompanyId: before.GetId(), Name: "New", Tagline: "a\nb", Description: "", Website: ptr(" "), Industry: "\x00",
		Socials:    &partnercatalogv1.SocialLinks{Linkedin: ptr("javascript:x"), X: ptr("@fine"), Facebook: ptr("a\nb")},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"name", "tagline", "description", "website", "industry", "socials"}},
	})
	want := []string{"tagline", "description", "website", "industry", "socials.linkedin", "socials.facebook"}
	if got := fields(t, err); !slices.Equal(got, want) {
		t.Errorf("invalid fields %q, want %q", got, want)
	}
	equal(t, "after the invalid change", r.get("app_1", before.GetId()), before)
}

func TestCreateJobReportsEveryFaultKeyFirst(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	req := fullJob(a.company)
	req.Basics.Title, req.Basics.WorkMode = " ", 99
	req.Content.Requirements = []string{"", strings.Repeat("é", 2001)}
	req.Questions[0].Options = []string{"A"}
	req.Distribution = 0
	req.IdempotencyKey = ptr("a b")
	want := []string{"idempotency_key", "basics.work_mode", "content.requirements[1]", "distribution",
		"basics.title", "content.requirements[0]", "questions[0].options"}
	for _, dry := range []bool{true, false} {
		req.ValidateOnly = dry
		_, err := a.jobs.CreateJob(a.key("app_1"), req)
		if got := fields(t, err); !slices.Equal(got, want) {
			t.Errorf("dry run %t: %q, want %q", dry, got, want)
		}
		inHeader := metadata.AppendToOutgoingContext(a.key("app_1"), "idempotency-key", "")
		_, err = a.jobs.CreateJob(inHeader, req)
		if got := fields(t, err); !slices.Equal(got, slices.Concat([]string{"Idempotency-Key"}, want[1:])) {
			t.Errorf("dry run %t, key in the header: %q", dry, got)
		}
	}
	// An invalid key must prevent even a valid job from being created.
	valid := fullJob(a.company)
	valid.IdempotencyKey = ptr("")
	_, err := a.jobs.CreateJob(a.key("app_1"), valid)
	checkError(t, "an empty key", err, errs.Invalid, invalid, "idempotency_key")
	list, err := a.jobs.ListJobs(a.key("app_1"), &partnercatalogv1.ListJobsRequest{CompanyId: a.company})
	if err != nil || list.GetPaging().GetTotal() != 0 {
		t.Errorf("a job was created: %v, %v", list, err)
	}
	repeated := proto.CloneOf(req)
	repeated.IdempotencyKey = nil
	_, err = a.jobs.CreateJob(a.key("app_1"), repeated)
	if got := fields(t, err); !slices.Equal(got, want[1:]) {
		t.Errorf("without a key: %q, want %q", got, want[1:])
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	url := database(t)
	r := startOn(t, url)
	company := r.create("app_1", createRequest("Acme")).GetId()
	jobs := partnercatalogv1.NewJobServiceClient(r.dial("gateway"))
	testkit.DryRunsWriteNothing(t, url, "vitae.partnercatalog.v1", map[string]func() error{
		partnercatalogv1.CompanyService_CreateCompany_FullMethodName: func() error {
			req := createRequest("Ajax")
			req.ValidateOnly = true
			_, err := r.companies.CreateCompany(r.key("app_1"), req)
			return err
		},
		partnercatalogv1.JobService_CreateJob_FullMethodName: func() error {
			req := fullJob(company)
			req.IdempotencyKey, req.ValidateOnly = ptr("once"), true
			_, err := jobs.CreateJob(r.key("app_1"), req)
			return err
		},
	})
}
