package app_test

import (
	"slices"
	"testing"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// agency is a running service with a company that belongs to app_1.
type agency struct {
	*running
	jobs     partnercatalogv1.JobServiceClient
	postings partnercatalogv1.JobPostingServiceClient
	company  string
}

func startAgency(t *testing.T) *agency {
	t.Helper()
	r := start(t)
	return &agency{
		running: r, company: r.create("app_1", createRequest("Acme")).GetId(),
		jobs:     partnercatalogv1.NewJobServiceClient(r.dial("gateway")),
		postings: partnercatalogv1.NewJobPostingServiceClient(r.dial("candidate")),
	}
}

// fullJob returns a request for a live job with every field set.
func fullJob(company string) *partnercatalogv1.CreateJobRequest {
	return &partnercatalogv1.CreateJobRequest{
		CompanyId: company, SaveAs: partnercatalogv1.SaveAs_SAVE_AS_LIVE,
		Basics: &partnercatalogv1.JobBasics{
			Title: " Engineer ", Department: ptr("Research"), Country: ptr("UAE"), City: ptr("Dubai"),
			WorkMode:   partnercatalogv1.WorkMode_WORK_MODE_HYBRID,
			Employment: partnercatalogv1.Employment_EMPLOYMENT_FULL_TIME, Seniority: partnercatalogv1.Seniority_SENIORITY_LEAD,
		},
		Content: &partnercatalogv1.JobContent{
			Summary: "Summary", Responsibilities: []string{"R"}, Requirements: []string{"Q"}, NiceToHave: []string{"N"}, Benefits: []string{"B"},
		},
		Compensation: &partnercatalogv1.Compensation{
			Min: ptr(0.5), Max: ptr(7.0), Currency: "AED", Period: partnercatalogv1.SalaryPeriod_SALARY_PERIOD_MONTHLY, Visible: true,
		},
		Eligibility: &partnercatalogv1.EligibilityInput{Language: partnercatalogv1.LanguageRule_LANGUAGE_RULE_ENGLISH_AND_ARABIC},
		WorkforceProgramme: &partnercatalogv1.WorkforceProgramme{
			Value: partnercatalogv1.Programme_PROGRAMME_EMIRATI, Note: ptr("Note"), Acknowledged: ptr(true),
		},
		Questions: []*partnercatalogv1.QuestionInput{
			{
				Id: ptr("q1"), Prompt: "Which?", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE, Required: true, Order: ptr[int32](3),
				Options: []string{"A", "B"}, Source: partnercatalogv1.QuestionSource_QUESTION_SOURCE_DEFAULT.Enum(),
				DefaultKey: partnercatalogv1.DefaultQuestion_DEFAULT_QUESTION_AVAILABILITY.Enum(),
			},
			{Id: ptr(""), Prompt: "How much?", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER},
		},
		Distribution: partnercatalogv1.Distribution_DISTRIBUTION_COMPANY_PAGE_ONLY,
		Confidential: &partnercatalogv1.Confidentiality{Enabled: false, PublicLabel: ptr("Label")},
	}
}

// bareJob returns a request for a draft with only the required fields.
func bareJob(company string) *partnercatalogv1.CreateJobRequest {
	return &partnercatalogv1.CreateJobRequest{
		CompanyId: company,
		Basics: &partnercatalogv1.JobBasics{
			WorkMode:   partnercatalogv1.WorkMode_WORK_MODE_REMOTE,
			Employment: partnercatalogv1.Employment_EMPLOYMENT_CONTRACT, Seniority: partnercatalogv1.Seniority_SENIORITY_ENTRY,
		},
		Content:      &partnercatalogv1.JobContent{},
		Distribution: partnercatalogv1.Distribution_DISTRIBUTION_HIDDEN,
	}
}

func (a *agency) post(req *partnercatalogv1.CreateJobRequest) *partnercatalogv1.Job {
	a.t.Helper()
	resp, err := a.jobs.CreateJob(a.key("app_1"), req)
	if err != nil {
		a.t.Fatal(err)
	}
	return resp.GetJob()
}

func (a *agency) read(id string) *partnercatalogv1.Job {
	a.t.Helper()
	resp, err := a.jobs.GetJob(a.key("app_1"), &partnercatalogv1.GetJobRequest{JobId: id})
	if err != nil {
		a.t.Fatal(err)
	}
	return resp.GetJob()
}

func TestJobIsReturnedAsSent(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	got := a.post(fullJob(a.company))
	if q := got.GetScreeningQuestions(); len(q) != 2 || q[1].GetId() == "" {
		t.Fatalf("got questions %v, want two with ids", q)
	}
	if got.GetPostedAt().AsTime() != got.GetCreatedAt().AsTime() || got.GetUpdatedAt().AsTime() != got.GetCreatedAt().AsTime() {
		t.Errorf("want equal created, updated and posted times: %v", got)
	}
	want := &partnercatalogv1.Job{
		Id: got.GetId(), CompanyId: a.company, Title: "Engineer", Description: wrapperspb.String("Summary"),
		Status:     partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE,
		WorkMode:   partnercatalogv1.WorkMode_WORK_MODE_HYBRID,
		Employment: partnercatalogv1.Employment_EMPLOYMENT_FULL_TIME, Seniority: partnercatalogv1.Seniority_SENIORITY_LEAD,
		Department: wrapperspb.String("Research"), City: wrapperspb.String("Dubai"), Country: wrapperspb.String("UAE"), Location: wrapperspb.String("Dubai, UAE"),
		Salary:        &partnercatalogv1.Salary{Min: ptr(0.5), Max: ptr(7.0), Currency: "AED", Period: partnercatalogv1.SalaryPeriod_SALARY_PERIOD_MONTHLY},
		SalaryVisible: true, Distribution: partnercatalogv1.Distribution_DISTRIBUTION_COMPANY_PAGE_ONLY,
		Responsibilities: []string{"R"}, Requirements: []string{"Q"}, NiceToHave: []string{"N"}, Benefits: []string{"B"},
		ScreeningQuestions: []*partnercatalogv1.ScreeningQuestion{
			{
				Id: "q1", Prompt: "Which?", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE, Required: true, Order: ptr[int32](3),
				Options: []string{"A", "B"}, Source: partnercatalogv1.QuestionSource_QUESTION_SOURCE_DEFAULT.Enum(),
				DefaultKey: partnercatalogv1.DefaultQuestion_DEFAULT_QUESTION_AVAILABILITY.Enum(),
			},
			{Id: got.GetScreeningQuestions()[1].GetId(), Prompt: "How much?", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER},
		},
		Eligibility: &partnercatalogv1.EligibilityRules{
			CandidateLocation: partnercatalogv1.CandidateLocation_CANDIDATE_LOCATION_ANY,
			ExperienceYears:   partnercatalogv1.ExperienceYears_EXPERIENCE_YEARS_ANY,
			Language:          partnercatalogv1.LanguageRule_LANGUAGE_RULE_ENGLISH_AND_ARABIC,
			WorkEligibility:   partnercatalogv1.WorkEligibility_WORK_ELIGIBILITY_ANY,
		},
		Confidential: &partnercatalogv1.JobConfidentiality{PublicLabel: wrapperspb.String("Label")},
		WorkforceProgramme: &partnercatalogv1.JobWorkforceProgramme{
			Value: partnercatalogv1.Programme_PROGRAMME_EMIRATI, Note: wrapperspb.String("Note"), Acknowledged: true,
		},
		PostedAt: got.GetPostedAt(), CreatedAt: got.GetCreatedAt(), UpdatedAt: got.GetUpdatedAt(),
	}
	equal(t, "response to CreateJob", got, want)
	equal(t, "job from GetJob", a.read(got.GetId()), want)
	list, err := a.jobs.ListJobs(a.key("app_1"), &partnercatalogv1.ListJobsRequest{CompanyId: a.company})
	if err != nil || len(list.GetJobs()) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	equal(t, "job from ListJobs", list.GetJobs()[0], want)

	posting, err := a.postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{JobId: got.GetId()})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "posting", posting.GetPosting(), &partnercatalogv1.JobPosting{
		Job: want, AppId: "app_1", WorkforceProgramme: fullJob("").GetWorkforceProgramme(), Confidential: fullJob("").GetConfidential(),
	})
}

func TestOwnerViewHasOnlyIDs(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	made := a.post(fullJob(a.company)).GetId()
	posting, err := a.postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{
		JobId: made, View: partnercatalogv1.JobPostingView_JOB_POSTING_VIEW_OWNER,
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "posting", posting.GetPosting(), &partnercatalogv1.JobPosting{Job: &partnercatalogv1.Job{Id: made, CompanyId: a.company}, AppId: "app_1"})
}

func TestUnsetJobFieldsAreNull(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	got := a.read(a.post(bareJob(a.company)).GetId())
	var null []string
	fields := got.ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); f.Kind() == protoreflect.MessageKind && !f.IsList() && !got.ProtoReflect().Has(f) {
			null = append(null, string(f.Name()))
		}
	}
	want := []string{"description", "department", "city", "country", "location", "salary", "eligibility", "posted_at", "workforce_programme"}
	if !slices.Equal(null, want) || got.GetStatus() != partnercatalogv1.JobStatus_JOB_STATUS_DRAFT {
		t.Errorf("unset fields %q, want %q, in draft %v", null, want, got)
	}
	posting, err := a.postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{JobId: got.GetId()})
	if p := posting.GetPosting(); err != nil || p.WorkforceProgramme != nil || p.Confidential != nil {
		t.Errorf("GetJobPosting: %v, %v", p, err)
	}
}

func TestHeaderKeyTakesPrecedence(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	create := func(body *string, header ...string) (*partnercatalogv1.CreateJobResponse, error) {
		ctx := a.key("app_1")
		for _, h := range header {
			ctx = metadata.AppendToOutgoingContext(ctx, "idempotency-key", h)
		}
		req := bareJob(a.company)
		req.IdempotencyKey = body
		return a.jobs.CreateJob(ctx, req)
	}
	made := map[string]string{}
	for _, tc := range []struct {
		body   *string
		header []string
		key    string
	}{
		{ptr("body"), nil, "body"}, {ptr("body"), []string{"header"}, "header"}, {nil, []string{"header"}, "header"},
		{ptr("header"), nil, "header"}, {ptr("other"), []string{"body"}, "body"}, {ptr("bad key"), []string{"body"}, "body"},
	} {
		resp, err := create(tc.body, tc.header...)
		if err != nil {
			t.Fatal(err)
		}
		first, repeated := made[tc.key]
		if resp.GetReplayed() != repeated || repeated && resp.GetJob().GetId() != first {
			t.Errorf("%v: replayed %t, want %t", tc, resp.GetReplayed(), repeated)
		}
		made[tc.key] = resp.GetJob().GetId()
	}
	for field, tc := range map[string]func() error{
		"Idempotency-Key": func() error { _, err := create(ptr("body"), "a", "a"); return err },
		"idempotency_key": func() error { _, err := create(ptr("")); return err },
	} {
		checkError(t, field, tc(), errs.Invalid, "PUBLIC_API_VALIDATION_ERROR", field)
	}
	_, err := create(ptr("body"), "a b")
	checkError(t, "a space", err, errs.Invalid, "PUBLIC_API_VALIDATION_ERROR", "Idempotency-Key")
}
