package app_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

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
		t.Errorf("got %v, want %s", err, code)
	}
}

// platform is the principal of an app's API key.
func platform(appID string, scopes ...string) *identityv1.Principal {
	return &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, AccountId: "dev_1", AppId: appID, Scopes: scopes,
	}
}

// questions has one of each type.
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

// request is an application of the person with the main CV, answers in disorder.
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

func TestAnApplicationIsListedWithEveryFieldAsItWasMade(t *testing.T) {
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
	equal(t, "made", made, want)
	got, err := r.list(platform("app_1", "candidates:read"), &candidatev1.ListJobApplicationsRequest{JobId: "job_1"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "listed", got, &candidatev1.ListJobApplicationsResponse{
		Applications: []*candidatev1.Application{want},
		Paging:       &pagingv1.Paging{Page: 1, PageSize: 25, Total: 1, TotalPages: 1},
	})

	// The person is shown as of now, without the fields that are empty.
	r.update(&candidatev1.Profile{PersonId: "usr_1", Name: "Noor"}, "name", "username", "avatar_url", "headline")
	want.Candidate = &candidatev1.Candidate{UserId: "usr_1", Name: "Noor", Email: "usr_1@example.com"}
	got, err = r.list(platform("app_1", "candidates:read"), &candidatev1.ListJobApplicationsRequest{JobId: "job_1", Query: "NOOR"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "renamed", got.GetApplications()[0], want)
}

func TestAnApplicationIsMadeNowUnlessItSaysWhen(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.catalog.post("job_1", "app_1")
	r.create(bare("usr_1"))
	before := time.Now()
	made := r.apply(&candidatev1.ApplyRequest{JobId: "job_1", PersonId: "usr_1", Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"}})
	if at := made.GetAppliedAt().AsTime(); at.Before(before.Truncate(time.Millisecond)) || at.After(time.Now()) {
		t.Errorf("applied at %s, asked at %s", at, before)
	}
	if made.GetSource() != candidatev1.ApplicationSource_APPLICATION_SOURCE_UNSPECIFIED || made.GetScreeningAnswers() != nil {
		t.Errorf("made %v", made)
	}
}

// TestApplicationsOfOneMillisecondAreInTheOrderOfTheirIDs sends times whose hidden
// parts are in another order.
func TestApplicationsOfOneMillisecondAreInTheOrderOfTheirIDs(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.catalog.post("job_1", "app_1")
	shown := time.Date(2026, 6, 1, 12, 0, 0, int(7*time.Millisecond), time.UTC)
	var newest []string
	for i, hidden := range []time.Duration{900 * time.Microsecond, 100 * time.Microsecond, 500 * time.Microsecond, 0} {
		person := fmt.Sprintf("usr_%d", i)
		r.create(bare(person))
		made := r.apply(&candidatev1.ApplyRequest{
			JobId: "job_1", PersonId: person, Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"},
			AppliedAt: timestamppb.New(shown.Add(hidden)),
		})
		if at := made.GetAppliedAt().AsTime(); !at.Equal(shown) {
			t.Errorf("applied at %s, want %s", at, shown)
		}
		newest = append([]string{made.GetApplicationId()}, newest...)
	}
	for _, query := range []string{"", "@"} {
		list, err := r.list(platform("app_1", "candidates:read"), &candidatev1.ListJobApplicationsRequest{JobId: "job_1", Query: query})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range list.GetApplications() {
			got = append(got, a.GetApplicationId())
		}
		if !slices.Equal(got, newest) {
			t.Errorf("query %q: %v, want %v", query, got, newest)
		}
	}
}

func TestApplyingSaysWhatIsWrong(t *testing.T) {
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
		"no job":           {"INVALID_ARGUMENT", "job_id", func(req *candidatev1.ApplyRequest) { req.JobId = "" }},
		"nothing":          {"INVALID_ARGUMENT", "submission", func(req *candidatev1.ApplyRequest) { req.Submission = nil }},
		"a future":         {"INVALID_ARGUMENT", "applied_at", func(req *candidatev1.ApplyRequest) { req.AppliedAt = timestamppb.New(time.Now().Add(time.Hour)) }},
		"no time":          {"INVALID_ARGUMENT", "applied_at", func(req *candidatev1.ApplyRequest) { req.AppliedAt = &timestamppb.Timestamp{Nanos: -1} }},
		"a NUL":            {"INVALID_ARGUMENT", "cover_letter", func(req *candidatev1.ApplyRequest) { req.CoverLetter = "\x00" }},
		"a long letter":    {"INVALID_ARGUMENT", "cover_letter", func(req *candidatev1.ApplyRequest) { req.CoverLetter = strings.Repeat("x", 20_001) }},
		"a strange source": {"INVALID_ARGUMENT", "source", func(req *candidatev1.ApplyRequest) { req.Source = 99 }},
		"an unknown job":   {"JOB_NOT_FOUND", "", func(req *candidatev1.ApplyRequest) { req.JobId = "job_9" }},
		"a closed job":     {"JOB_NOT_LIVE", "", func(req *candidatev1.ApplyRequest) { req.JobId = "job_2" }},
		"no answers":       {"INVALID_ARGUMENT", "answers", func(req *candidatev1.ApplyRequest) { req.Answers = nil }},
		"a wrong type":     {"INVALID_ARGUMENT", "answers[0].value", func(req *candidatev1.ApplyRequest) { req.Answers[0].Value = said("1") }},
		"no number":        {"INVALID_ARGUMENT", "answers[0].value", func(req *candidatev1.ApplyRequest) { req.Answers[0].Value = number(math.NaN()) }},
		"no option":        {"INVALID_ARGUMENT", "answers[2].value", func(req *candidatev1.ApplyRequest) { req.Answers[2].Value = said("Paris") }},
		"no value":         {"INVALID_ARGUMENT", "answers[3].value", func(req *candidatev1.ApplyRequest) { req.Answers[3].Value = nil }},
		"an empty value":   {"INVALID_ARGUMENT", "answers[3].value", func(req *candidatev1.ApplyRequest) { req.Answers[3].Value = &candidatev1.AnswerValue{} }},
		"another question": {"INVALID_ARGUMENT", "answers[1].question_id", func(req *candidatev1.ApplyRequest) { req.Answers[1].QuestionId = "q_9" }},
		"answered twice":   {"INVALID_ARGUMENT", "answers[1].question_id", func(req *candidatev1.ApplyRequest) { req.Answers[1].QuestionId = "q_number" }},
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
		// What needs no look-up is found without one, for the job as it will be.
		if c.code == "INVALID_ARGUMENT" || c.code == "JOB_NOT_LIVE" {
			req.ValidateOnly = true
			if p, ok := r.catalog.postings[req.GetJobId()]; ok {
				req.Posting = p
			}
			_, dry := r.intake.Apply(t.Context(), req)
			if got, ok := errs.As(dry); !ok || got.Code != c.code || got.Field() != c.field {
				t.Errorf("%s, validated only: %v", name, dry)
			}
		}
	}
	made := r.apply(request("job_1", "usr_1")) // the refused ones left nothing behind
	_, err := r.intake.Apply(t.Context(), request("job_1", "usr_1"))
	wantCode(t, err, "ALREADY_APPLIED")
	if made.GetApplicationId() == "" {
		t.Error("no id")
	}
}

func TestValidatingWritesNothingAndAsksNobody(t *testing.T) {
	t.Parallel()
	r := start(t)
	req := request("job_9", "usr_9")
	req.ValidateOnly = true
	req.Posting = &partnercatalogv1.JobPosting{Job: &partnercatalogv1.Job{
		Status: partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE, ScreeningQuestions: questions,
	}}
	resp, err := r.intake.Apply(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "validated", resp, &candidatev1.ApplyResponse{})
}

func TestApplicationsMoveThroughTheirStagesWithHistory(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.catalog.post("job_1", "app_1")
	r.create(bare("usr_1"))
	made := r.apply(&candidatev1.ApplyRequest{JobId: "job_1", PersonId: "usr_1", Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"}})
	id := made.GetApplicationId()
	advance := func(to candidatev1.ApplicationStatus) (*candidatev1.Application, error) {
		resp, err := r.intake.AdvanceApplication(t.Context(), &candidatev1.AdvanceApplicationRequest{ApplicationId: id, Status: to})
		return resp.GetApplication(), err
	}
	if _, err := advance(candidatev1.ApplicationStatus_APPLICATION_STATUS_SHORTLISTED); err != nil {
		t.Fatal(err)
	}
	for _, back := range []candidatev1.ApplicationStatus{
		candidatev1.ApplicationStatus_APPLICATION_STATUS_REVIEWED, candidatev1.ApplicationStatus_APPLICATION_STATUS_SHORTLISTED,
	} {
		_, err := advance(back)
		wantCode(t, err, "APPLICATION_TRANSITION_INVALID")
	}
	for _, never := range []candidatev1.ApplicationStatus{
		candidatev1.ApplicationStatus_APPLICATION_STATUS_UNSPECIFIED, candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED,
		candidatev1.ApplicationStatus_APPLICATION_STATUS_REJECTED, 99,
	} {
		_, err := advance(never)
		wantCode(t, err, "INVALID_ARGUMENT")
	}
	if _, err := r.intake.RejectApplication(t.Context(), &candidatev1.RejectApplicationRequest{ApplicationId: id}); err != nil {
		t.Fatal(err)
	}
	_, err := r.intake.WithdrawApplication(t.Context(), &candidatev1.WithdrawApplicationRequest{ApplicationId: id})
	wantCode(t, err, "APPLICATION_TRANSITION_INVALID")
	_, err = r.intake.WithdrawApplication(t.Context(), &candidatev1.WithdrawApplicationRequest{ApplicationId: "apl_unknown"})
	wantCode(t, err, "APPLICATION_NOT_FOUND")

	list, err := r.list(platform("app_1", "candidates:read"), &candidatev1.ListJobApplicationsRequest{
		JobId: "job_1", Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_REJECTED.Enum(),
	})
	if err != nil || len(list.GetApplications()) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	got := list.GetApplications()[0]
	var stages []string
	for _, change := range got.GetStatusHistory() {
		stages = append(stages, strings.TrimPrefix(change.GetStatus().String(), "APPLICATION_STATUS_"))
	}
	if strings.Join(stages, " ") != "APPLIED SHORTLISTED REJECTED" {
		t.Errorf("history %v", stages)
	}
	if last := got.GetStatusHistory()[2].GetAt().AsTime(); !got.GetUpdatedAt().AsTime().Equal(last) || last.Before(got.GetAppliedAt().AsTime()) {
		t.Errorf("updated at %s, last change at %s", got.GetUpdatedAt().AsTime(), last)
	}
}

func TestOnlyTheAppOfTheCompanyListsApplications(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.catalog.post("job_1", "app_1")
	read := "candidates:read"
	token := consent("usr_1", "master", read)
	for name, c := range map[string]struct {
		who  *identityv1.Principal
		req  *candidatev1.ListJobApplicationsRequest
		code string
	}{
		"another app":           {platform("app_2", read), &candidatev1.ListJobApplicationsRequest{JobId: "job_1"}, "COMPANY_NOT_MANAGED_BY_APP"},
		"an unknown job":        {platform("app_1", read), &candidatev1.ListJobApplicationsRequest{JobId: "job_9"}, "JOB_NOT_FOUND"},
		"no job":                {platform("app_1", read), &candidatev1.ListJobApplicationsRequest{}, "JOB_NOT_FOUND"},
		"a NUL":                 {platform("app_1", read), &candidatev1.ListJobApplicationsRequest{JobId: "job\x00"}, "JOB_NOT_FOUND"},
		"no scope":              {platform("app_1", "jobs:read"), &candidatev1.ListJobApplicationsRequest{JobId: "job_1"}, "API_KEY_INSUFFICIENT_SCOPE"},
		"a person's token":      {token, &candidatev1.ListJobApplicationsRequest{JobId: "job_1"}, "OAUTH_INSUFFICIENT_SCOPE"},
		"nobody":                {nil, &candidatev1.ListJobApplicationsRequest{JobId: "job_1"}, "PRINCIPAL_MISSING"},
		"a bad page":            {platform("app_1", read), &candidatev1.ListJobApplicationsRequest{JobId: "job_9", Page: new(int32)}, "PUBLIC_API_VALIDATION_ERROR"},
		"no stage":              {platform("app_1", read), &candidatev1.ListJobApplicationsRequest{JobId: "job_9", Status: candidatev1.ApplicationStatus(0).Enum()}, "PUBLIC_API_VALIDATION_ERROR"},
		"a strange stage":       {platform("app_1", read), &candidatev1.ListJobApplicationsRequest{JobId: "job_9", Status: candidatev1.ApplicationStatus(99).Enum()}, "PUBLIC_API_VALIDATION_ERROR"},
		"a long query":          {platform("app_1", read), &candidatev1.ListJobApplicationsRequest{JobId: "job_9", Query: strings.Repeat("x", 201)}, "PUBLIC_API_VALIDATION_ERROR"},
		"a query with a NUL":    {platform("app_1", read), &candidatev1.ListJobApplicationsRequest{JobId: "job_9", Query: "\x00"}, "PUBLIC_API_VALIDATION_ERROR"},
		"scope before the page": {platform("app_1"), &candidatev1.ListJobApplicationsRequest{JobId: "job_9", Page: new(int32)}, "API_KEY_INSUFFICIENT_SCOPE"},
	} {
		ctx := t.Context()
		if c.who != nil {
			ctx = principal.NewContext(ctx, c.who)
		}
		if _, err := r.employers.ListJobApplications(ctx, c.req); !errs.HasCode(err, c.code) {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	got, err := r.list(platform("app_1", read), &candidatev1.ListJobApplicationsRequest{JobId: "job_1", Query: "  "})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "empty", got, &candidatev1.ListJobApplicationsResponse{Paging: &pagingv1.Paging{Page: 1, PageSize: 25}})
}

func TestTheIntakeIsForInternalTeamsAndTheListForTheEdge(t *testing.T) {
	t.Parallel()
	r := start(t)
	_, err := candidatev1.NewApplicationIntakeServiceClient(r.dial("gateway")).Apply(t.Context(), request("job_1", "usr_1"))
	wantCode(t, err, "CALLER_NOT_ALLOWED")
	_, err = candidatev1.NewApplicationServiceClient(r.dial("cvrender")).ListJobApplications(t.Context(), &candidatev1.ListJobApplicationsRequest{})
	wantCode(t, err, "CALLER_NOT_ALLOWED")
}

func TestAPageOfTheLargestApplicationsFitsIntoOneAnswer(t *testing.T) {
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
		t.Errorf("%d rows, %v", len(got.GetApplications()), err)
	}
}
