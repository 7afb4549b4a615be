package e2e_test

import (
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// intake is how internal teams bring applications in.
func intake(t testing.TB, s *stack.Stack) candidatev1.ApplicationIntakeServiceClient {
	t.Helper()
	return candidatev1.NewApplicationIntakeServiceClient(dial(t, s, must(s.Note())(t).GRPC.Candidate, "candidate", "internal"))
}

// applying is an application with the main CV.
func applying(job, person string, answers ...*candidatev1.AnswerInput) *candidatev1.ApplyRequest {
	return &candidatev1.ApplyRequest{
		JobId: job, PersonId: person, Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"}, Answers: answers,
		Source: candidatev1.ApplicationSource_APPLICATION_SOURCE_TABBIO_APP,
	}
}

func says(question string, value any) *candidatev1.AnswerInput {
	v := &candidatev1.AnswerValue{}
	switch value := value.(type) {
	case string:
		v.Value = &candidatev1.AnswerValue_Text{Text: value}
	case bool:
		v.Value = &candidatev1.AnswerValue_Yes{Yes: value}
	case float64:
		v.Value = &candidatev1.AnswerValue_Number{Number: value}
	}
	return &candidatev1.AnswerInput{QuestionId: question, Value: v}
}

// TestApplyingNeedsALiveJobAndFittingAnswersOnce is decision 35 as internal teams
// meet it, and what the partner then sees.
func TestApplyingNeedsALiveJobAndFittingAnswersOnce(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, world.World{People: []world.Person{world.Full(), world.Bare()}})
	company := p.company(t)
	job := p.job(t, company, world.FullJob())["id"].(string)
	layla, bare := p.created.People["layla"].ID, p.created.People["bare"].ID
	calls := intake(t, p.stack)
	visa, shift, years := says("visa", true), says("shift", "Day"), says("years", 3.0)
	good := func() *candidatev1.ApplyRequest { return applying(job, layla, visa, shift, years) }
	refuse := func(what string, r *candidatev1.ApplyRequest, code, field string) {
		t.Helper()
		_, err := calls.Apply(t.Context(), r)
		e, ok := errs.As(err)
		if !ok || (code != "" && e.Code != code) || (field != "" && e.Field() != field) {
			t.Errorf("%s: %v (%+v), want %s %s", what, err, e, code, field)
		}
	}
	for _, status := range []string{"draft", "closed", "archived"} {
		r := good()
		r.JobId = p.jobIn(t, company, status)
		r.Answers = nil
		refuse("a "+status+" job", r, "JOB_NOT_LIVE", "")
	}
	unknown := good()
	unknown.JobId = "job_unknown"
	refuse("an unknown job", unknown, "JOB_NOT_FOUND", "")
	refuse("a person without a main CV", applying(job, bare, visa, shift, years), "CV_NOT_FOUND", "")
	nobody := good()
	nobody.PersonId = "usr_unknown"
	refuse("nobody", nobody, "PROFILE_NOT_FOUND", "")
	future := good()
	future.AppliedAt = timestamppb.New(timestamppb.Now().AsTime().AddDate(0, 0, 1))
	refuse("tomorrow", future, "", "applied_at")
	for what, c := range map[string]struct {
		answers []*candidatev1.AnswerInput
		field   string
	}{
		"a required answer missing": {[]*candidatev1.AnswerInput{visa, shift}, ""},
		"no answers":                {nil, ""},
		"text for a number":         {[]*candidatev1.AnswerInput{visa, shift, says("years", "3")}, "answers[2].value"},
		"a number for yes or no":    {[]*candidatev1.AnswerInput{says("visa", 1.0), shift, years}, "answers[0].value"},
		"an option that is none":    {[]*candidatev1.AnswerInput{visa, says("shift", "Noon"), years}, "answers[1].value"},
		"yes for a text":            {[]*candidatev1.AnswerInput{visa, shift, years, says("why", true)}, "answers[3].value"},
		"an unknown question":       {[]*candidatev1.AnswerInput{visa, shift, years, says("who", "me")}, "answers[3].question_id"},
		"an answer twice":           {[]*candidatev1.AnswerInput{visa, shift, years, visa}, "answers[3].question_id"},
		"a blank required answer":   {[]*candidatev1.AnswerInput{visa, says("shift", " "), years}, "answers[1].value"},
	} {
		refuse(what, applying(job, layla, c.answers...), "", c.field)
	}
	if _, total := listed(t, must(p.api.Candidates(t.Context(), job, ""))(t)); total != 0 {
		t.Errorf("%d applications after refusals", total)
	}
	made := must(calls.Apply(t.Context(), good()))(t).GetApplication()
	refuse("again", good(), "ALREADY_APPLIED", "")
	must(calls.WithdrawApplication(t.Context(), &candidatev1.WithdrawApplicationRequest{ApplicationId: made.GetApplicationId()}))(t)
	refuse("again after a withdrawal", good(), "ALREADY_APPLIED", "")
	got := success(t, must(p.api.Candidate(t.Context(), made.GetApplicationId()))(t))
	matches(t, "source", "tabbio_app", got["source"])
	matches(t, "status", "withdrawn", got["status"])
	matches(t, "answers", []any{
		answer("visa", "yes_no", true), answer("shift", "multiple_choice", "Day"), answer("years", "number", number(3)),
	}, got["screeningAnswers"])
	p.count(t, job, 1)

	// The answers keep the type that their question had.
	asked := []any{question(world.Fields{"id": "years", "type": "short_answer"})}
	success(t, must(p.api.PatchJob(t.Context(), job, world.Fields{"questions": asked}))(t))
	again := success(t, must(p.api.Candidate(t.Context(), made.GetApplicationId()))(t))
	matches(t, "answers after the questions changed", got["screeningAnswers"], again["screeningAnswers"])
	refused(t, must(p.key(t, "rival-key").Candidate(t.Context(), made.GetApplicationId()))(t), notOurs.status, notOurs.code)
}

func TestOneOfFiftyConcurrentApplicationsOfAPersonIsKept(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, world.World{People: []world.Person{world.Full()}})
	company := p.company(t)
	before := p.job(t, company, world.Live())
	job := before["id"].(string)
	calls, layla := intake(t, p.stack), p.created.People["layla"].ID
	var kept atomic.Int32
	group, ctx := errgroup.WithContext(t.Context())
	for range 50 {
		group.Go(func() error {
			_, err := calls.Apply(ctx, applying(job, layla))
			if err == nil {
				kept.Add(1)
			} else if !alreadyApplied(err) {
				return err
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	rows, _ := listed(t, must(p.api.Candidates(t.Context(), job, ""))(t))
	if kept.Load() != 1 || len(rows) != 1 {
		t.Errorf("%d calls succeeded, and there are %d applications; want one of each", kept.Load(), len(rows))
	}
	p.count(t, job, 1)
	// An application is no edit of the job.
	matches(t, "the job", but(before, map[string]any{"applicationCount": number(1)}), success(t, must(p.api.Job(t.Context(), job))(t)))
}

// TestNoApplicationBeginsAfterTheAnswerToAClose holds at any replica and at once.
func TestNoApplicationBeginsAfterTheAnswerToAClose(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, world.World{People: []world.Person{world.Full()}})
	company := p.company(t)
	calls, layla := intake(t, p.stack), p.created.People["layla"].ID
	for i := range 20 {
		job := p.job(t, company, world.FullJob())["id"].(string)
		// An application that is refused for its answers has the job looked at.
		if _, err := calls.Apply(t.Context(), applying(job, layla)); err == nil {
			t.Fatal("an application without the required answers was taken")
		}
		success(t, must(p.edges(p.api)[i%2].Move(t.Context(), job, "close"))(t))
		_, err := calls.Apply(t.Context(), applying(job, layla, says("visa", true), says("shift", "Day"), says("years", 3.0)))
		if e, ok := errs.As(err); !ok || e.Code != "JOB_NOT_LIVE" {
			t.Errorf("round %d: %v, want JOB_NOT_LIVE", i, err)
		}
		success(t, must(p.api.Move(t.Context(), job, "publish"))(t))
		must(calls.Apply(t.Context(), applying(job, layla, says("visa", true), says("shift", "Day"), says("years", 3.0))))(t)
	}
}
