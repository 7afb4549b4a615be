package app_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	pagingv1 "vitae.internal/proto/gen/vitae/paging/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if !errs.HasCode(err, code) {
		t.Errorf("error %v, want %s", err, code)
	}
}

// platform returns the principal of one of the app's API keys.
func platform(appID string, scopes ...string) *identityv1.Principal {
	return &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, AccountId: "dev_1", AppId: appID, Scopes: scopes,
	}
}

// questions contains one question of each type.
var questions = []*partnercatalogv1.ScreeningQuestion{
	{Id: "q_yes", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_YES_NO, Required: true},
	{Id: "q_choice", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE, Options: []string{"Dubai", "دبي"}},
	{Id: "q_short", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_SHORT_ANSWER},
	{Id: "q_long", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_LONG_ANSWER},
	{Id: "q_number", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER},
}

func said(s string) *candidatev1.AnswerValue {
	return &candidatev1.AnswerValue{Value: &candidatev1.AnswerValue_Text{Text: s}}
}

func number(n float64) *candidatev1.AnswerValue {
	return &candidatev1.AnswerValue{Value: &candidatev1.AnswerValue_Number{Number: n}}
}

func yes(b bool) *candidatev1.AnswerValue {
	return &candidatev1.AnswerValue{Value: &candidatev1.AnswerValue_Yes{Yes: b}}
}

func answer(questionID string, value *candidatev1.AnswerValue) *candidatev1.AnswerInput {
	return &candidatev1.AnswerInput{QuestionId: questionID, Value: value}
}

// request returns the person's application with the main CV. Its answers are in a different order
// from the questions.
func request(jobID, personID string) *candidatev1.ApplyRequest {
	return &candidatev1.ApplyRequest{
		JobId: jobID, PersonId: personID, Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"},
		Answers: []*candidatev1.AnswerInput{
			answer("q_number", number(0.1)), answer("q_long", said("نعم")), answer("q_choice", said("دبي")), answer("q_yes", yes(false)),
		},
		CoverLetter: "Dear team",
		Source:      candidatev1.ApplicationSource_APPLICATION_SOURCE_PUBLIC_PAGE,
		AppliedAt:   timestamppb.New(connectedAt),
	}
}

func (r *running) apply(req *candidatev1.ApplyRequest) *candidatev1.Application {
	r.t.Helper()
	resp, err := r.intake.Apply(r.t.Context(), req)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.GetApplication()
}

func (r *running) list(p *identityv1.Principal, req *candidatev1.ListJobApplicationsRequest) (*candidatev1.ListJobApplicationsResponse, error) {
	return r.employers.ListJobApplications(principal.NewContext(r.t.Context(), p), req)
}

func TestApplicationIsListedWithEveryField(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.catalog.post("job_1", "app_1", questions...)
	p := bare("usr_1")
	p.Username, p.AvatarUrl, p.Headline = "sara", "https://img.example/sara.png", "Engineer"
	stored := r.create(p)
	made := r.apply(request("job_1", "usr_1"))
	want := &candidatev1.Application{
		ApplicationId: made.GetApplicationId(), JobId: "job_1", CompanyId: "com_app_1",
		Status:    candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED,
		AppliedAt: timestamppb.New(connectedAt), UpdatedAt: timestamppb.New(connectedAt),
		Source: candidatev1.ApplicationSource_APPLICATION_SOURCE_PUBLIC_PAGE,
		ScreeningAnswers: []*candidatev1.ScreeningAnswer{
			{QuestionId: "q_yes", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_YES_NO, Value: yes(false)},
			{QuestionId: "q_choice", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE, Value: said("دبي")},
			{QuestionId: "q_long", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_LONG_ANSWER, Value: said("نعم")},
			{QuestionId: "q_number", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER, Value: number(0.1)},
		},
		StatusHistory: []*candidatev1.StatusChange{
			{Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, At: timestamppb.New(connectedAt)},
		},
		Candidate: &candidatev1.Candidate{
			UserId: "usr_1", Name: "Sara", Username: wrapperspb.String("sara"), Image: wrapperspb.String("usr_1"),
			Email: "usr_1@example.com", Title: wrapperspb.String("Engineer"),
		},
		SubmittedCv: &candidatev1.CvReference{Id: "master", Title: "Main CV", UpdatedAt: stored.GetUpdatedAt()},
	}
	equal(t, "the created application", made, want)
	got, err := r.list(platform("app_1", "candidates:read"), &candidatev1.ListJobApplicationsRequest{JobId: "job_1"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the listed application", got, &candidatev1.ListJobApplicationsResponse{
		Applications: []*candidatev1.Application{want},
		Paging:       &pagingv1.Paging{Page: 1, PageSize: 25, Total: 1, TotalPages: 1},
	})

	// The list shows the person's current data, without empty fields.
	r.update(&candidatev1.Profile{PersonId: "usr_1", Name: "Noor"}, "name", "username", "avatar_url", "headline")
	want.Candidate = &candidatev1.Candidate{UserId: "usr_1", Name: "Noor", Email: "usr_1@example.com"}
	got, err = r.list(platform("app_1", "candidates:read"), &candidatev1.ListJobApplicationsRequest{JobId: "job_1", Query: "NOOR"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the application after a change of the name", got.GetApplications()[0], want)
}

func TestInvalidApplicationNamesField(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.catalog.post("job_1", "app_1", questions...)
	r.catalog.post("job_2", "app_1")
	r.catalog.setStatus("job_2", partnercatalogv1.JobStatus_JOB_STATUS_CLOSED)
	r.create(bare("usr_1"))
	r.create(&candidatev1.Profile{PersonId: "usr_2", Email: "usr_2@example.com", Name: "Omar"})
	foreign := r.createCv("usr_2", "Foreign", bare("usr_2").GetContent())
	for name, c := range map[string]struct {
		code, field string
		change      func(req *candidatev1.ApplyRequest)
	}{
		"an unknown job": {"JOB_NOT_FOUND", "", func(req *candidatev1.ApplyRequest) { req.JobId = "job_9" }},
		"a closed job":   {"JOB_NOT_LIVE", "", func(req *candidatev1.ApplyRequest) { req.JobId = "job_2" }},
		"a wrong answer": {"INVALID_ARGUMENT", "answers[0].value", func(req *candidatev1.ApplyRequest) { req.Answers[0].Value = said("1") }},
		"an unknown person": {"PROFILE_NOT_FOUND", "", func(req *candidatev1.ApplyRequest) {
			req.PersonId = "usr_9"
		}},
		"an empty main CV": {"CV_NOT_FOUND", "", func(req *candidatev1.ApplyRequest) { req.PersonId = "usr_2" }},
		"another person's CV": {"CV_NOT_FOUND", "", func(req *candidatev1.ApplyRequest) {
			req.Submission = &candidatev1.ApplyRequest_CvId{CvId: foreign.GetId()}
		}},
		"an unknown resume": {"RESUME_NOT_FOUND", "", func(req *candidatev1.ApplyRequest) {
			req.Submission = &candidatev1.ApplyRequest_ResumeId{ResumeId: "res_9"}
		}},
	} {
		req := request("job_1", "usr_1")
		c.change(req)
		_, err := r.intake.Apply(t.Context(), req)
		e, ok := errs.As(err)
		if !ok || e.Code != c.code || e.Field() != c.field {
			t.Errorf("%s: %v, want %s %s", name, err, c.code, c.field)
		}
		// A dry run that includes the job's posting returns the same error, because these checks
		// need no lookup.
		if c.code == "INVALID_ARGUMENT" || c.code == "JOB_NOT_LIVE" {
			req.ValidateOnly = true
			if p, ok := r.catalog.postings[req.GetJobId()]; ok {
				req.Posting = p
			}
			_, dry := r.intake.Apply(t.Context(), req)
			if got, ok := errs.As(dry); !ok || got.Code != c.code || got.Field() != c.field {
				t.Errorf("%s, in a dry run: %v", name, dry)
			}
		}
	}
	made := r.apply(request("job_1", "usr_1")) // the rejected requests stored nothing
	_, err := r.intake.Apply(t.Context(), request("job_1", "usr_1"))
	wantCode(t, err, "ALREADY_APPLIED")
	if made.GetApplicationId() == "" {
		t.Error("the application has no id")
	}
}

func TestLargestApplicationPageFits(t *testing.T) {
	t.Parallel()
	r := start(t)
	long := &partnercatalogv1.ScreeningQuestion{Id: "q_long", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_LONG_ANSWER}
	r.catalog.post("job_1", "app_1", long)
	for i := range 100 {
		p := &candidatev1.Profile{
			PersonId: fmt.Sprintf("usr_%d", i), Email: "a@example.com", AvatarUrl: "https://img.example/p.png",
			Name: strings.Repeat("ن", 200), Headline: strings.Repeat("ن", 300), Content: bare("").GetContent(),
		}
		r.create(p)
		r.apply(&candidatev1.ApplyRequest{
			JobId: "job_1", PersonId: p.GetPersonId(), Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"},
			Answers: []*candidatev1.AnswerInput{answer("q_long", said(strings.Repeat("ن", 20_000)))},
		})
	}
	size := int32(100)
	got, err := r.list(platform("app_1", "candidates:read"), &candidatev1.ListJobApplicationsRequest{JobId: "job_1", PageSize: &size})
	if err != nil || len(got.GetApplications()) != 100 || got.GetApplications()[0].GetCandidate().GetImage() == nil {
		t.Errorf("the page has %d rows, %v", len(got.GetApplications()), err)
	}
}
