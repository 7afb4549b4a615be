package partnerapi_test

import (
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

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

// refusesToApply asserts that an application is refused. A code or field that is not
// empty must be in the refusal.
func refusesToApply(t *testing.T, calls candidatev1.ApplicationIntakeServiceClient, what string, r *candidatev1.ApplyRequest, code, field string) {
	t.Helper()
	_, err := calls.Apply(t.Context(), r)
	e, ok := errs.As(err)
	if !ok || (code != "" && e.Code != code) || (field != "" && e.Field() != field) {
		t.Errorf("%s: %v (%+v), want %s %s", what, err, e, code, field)
	}
}

// faultyAnswers are refused for the questions of world.FullJob, with the field that the
// refusal names.
func faultyAnswers() map[string]struct {
	answers []*candidatev1.AnswerInput
	field   string
} {
	visa, shift, years := says("visa", true), says("shift", "Day"), says("years", 3.0)
	return map[string]struct {
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
	}
}

// TestApplyingNeedsALiveJobAndFittingAnswersOnce applies as internal teams do, and then
// reads the application as the partner does (behaviour: applications#applying).
func TestApplyingNeedsALiveJobAndFittingAnswersOnce(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.World{People: []world.Person{world.Full(), world.Bare()}})
	company := p.Company(t)
	job := p.Job(t, company, world.FullJob())["id"].(string)
	layla, bare := p.Created.People["layla"].ID, p.Created.People["bare"].ID
	calls := scene.Intake(t, p.Stack)
	visa, shift, years := says("visa", true), says("shift", "Day"), says("years", 3.0)
	good := func() *candidatev1.ApplyRequest { return scene.Applying(job, layla, visa, shift, years) }
	refuse := func(what string, r *candidatev1.ApplyRequest, code, field string) {
		t.Helper()
		refusesToApply(t, calls, what, r, code, field)
	}
	for _, status := range []string{"draft", "closed", "archived"} {
		refuse("a "+status+" job", scene.Applying(p.JobIn(t, company, status), layla), "JOB_NOT_LIVE", "")
	}
	refuse("an unknown job", scene.Applying("job_unknown", layla, visa, shift, years), "JOB_NOT_FOUND", "")
	refuse("a person without a main CV", scene.Applying(job, bare, visa, shift, years), "CV_NOT_FOUND", "")
	refuse("nobody", scene.Applying(job, "usr_unknown", visa, shift, years), "PROFILE_NOT_FOUND", "")
	future := good()
	future.AppliedAt = timestamppb.New(timestamppb.Now().AsTime().AddDate(0, 0, 1))
	refuse("tomorrow", future, "", "applied_at")
	for what, c := range faultyAnswers() {
		refuse(what, scene.Applying(job, layla, c.answers...), "", c.field)
	}
	if _, total := expect.Listed(t, expect.Must(p.API.Candidates(t.Context(), job, ""))(t)); total != 0 {
		t.Errorf("%d applications after refusals", total)
	}
	made := expect.Must(calls.Apply(t.Context(), good()))(t).GetApplication()
	refuse("again", good(), "ALREADY_APPLIED", "")
	expect.Must(calls.WithdrawApplication(t.Context(), &candidatev1.WithdrawApplicationRequest{ApplicationId: made.GetApplicationId()}))(t)
	refuse("again after a withdrawal", good(), "ALREADY_APPLIED", "")
	appliedAsSeenByThePartner(t, p, job, made.GetApplicationId())
}

// appliedAsSeenByThePartner reads the application of
// TestApplyingNeedsALiveJobAndFittingAnswersOnce.
func appliedAsSeenByThePartner(t *testing.T, p scene.Platform, job, id string) {
	t.Helper()
	got := expect.Success(t, expect.Must(p.API.Candidate(t.Context(), id))(t))
	expect.Matches(t, "source", "tabbio_app", got["source"])
	expect.Matches(t, "status", "withdrawn", got["status"])
	expect.Matches(t, "answers", []any{
		answer("visa", "yes_no", true), answer("shift", "multiple_choice", "Day"), answer("years", "number", expect.Number(3)),
	}, got["screeningAnswers"])
	p.AwaitApplications(t, job, 1)

	// An answer keeps the type that its question had.
	asked := []any{question(world.Fields{"id": "years", "type": "short_answer"})}
	expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), job, world.Fields{"questions": asked}))(t))
	again := expect.Success(t, expect.Must(p.API.Candidate(t.Context(), id))(t))
	expect.Matches(t, "answers after the questions changed", got["screeningAnswers"], again["screeningAnswers"])
	expect.Refused(t, expect.Must(p.Key(t, "rival-key").Candidate(t.Context(), id))(t), notOurs.status, notOurs.code)
}

func TestOneOfFiftyConcurrentApplicationsOfAPersonIsKept(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.World{People: []world.Person{world.Full()}})
	company := p.Company(t)
	before := p.Job(t, company, world.Live())
	job := before["id"].(string)
	calls, layla := scene.Intake(t, p.Stack), p.Created.People["layla"].ID
	var kept atomic.Int32
	group, ctx := errgroup.WithContext(t.Context())
	for range 50 {
		group.Go(func() error {
			_, err := calls.Apply(ctx, scene.Applying(job, layla))
			if err == nil {
				kept.Add(1)
			} else if !scene.AlreadyApplied(err) {
				return err
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	rows, _ := expect.Listed(t, expect.Must(p.API.Candidates(t.Context(), job, ""))(t))
	if kept.Load() != 1 || len(rows) != 1 {
		t.Errorf("%d calls succeeded, and there are %d applications; want one of each", kept.Load(), len(rows))
	}
	p.AwaitApplications(t, job, 1)
	// An application does not change updatedAt of the job.
	expect.Matches(t, "the job", expect.But(before, map[string]any{"applicationCount": expect.Number(1)}), expect.Success(t, expect.Must(p.API.Job(t.Context(), job))(t)))
}

// TestNoApplicationBeginsAfterTheAnswerToAClose closes jobs at both replicas in turn.
func TestNoApplicationBeginsAfterTheAnswerToAClose(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.World{People: []world.Person{world.Full()}})
	company := p.Company(t)
	calls, layla := scene.Intake(t, p.Stack), p.Created.People["layla"].ID
	for i := range 20 {
		job := p.Job(t, company, world.FullJob())["id"].(string)
		// Refused for its answers, this application makes candidate read the job before it
		// is closed.
		if _, err := calls.Apply(t.Context(), scene.Applying(job, layla)); err == nil {
			t.Fatal("an application without the required answers was taken")
		}
		expect.Success(t, expect.Must(p.Edges(p.API)[i%2].Move(t.Context(), job, "close"))(t))
		_, err := calls.Apply(t.Context(), scene.Applying(job, layla, says("visa", true), says("shift", "Day"), says("years", 3.0)))
		if e, ok := errs.As(err); !ok || e.Code != "JOB_NOT_LIVE" {
			t.Errorf("round %d: %v, want JOB_NOT_LIVE", i, err)
		}
		expect.Success(t, expect.Must(p.API.Move(t.Context(), job, "publish"))(t))
		expect.Must(calls.Apply(t.Context(), scene.Applying(job, layla, says("visa", true), says("shift", "Day"), says("years", 3.0))))(t)
	}
}
