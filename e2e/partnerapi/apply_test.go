package partnerapi_test

import (
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func answerInput(question string, value any) *candidatev1.AnswerInput {
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

// The test applies as internal teams do, and reads the application as the partner does
// (behaviour: applications#applying).
func TestPersonAppliesOnce(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.World{People: []world.Person{world.Full()}})
	job := p.Job(t, p.Company(t), world.FullJob())["id"].(string)
	layla, calls := p.Created.People["layla"].ID, scene.Intake(t, p.Stack)
	visa, shift, years := answerInput("visa", true), answerInput("shift", "Day"), answerInput("years", 3.0)
	apply := func(answers ...*candidatev1.AnswerInput) (*candidatev1.ApplyResponse, error) {
		return calls.Apply(t.Context(), scene.Applying(job, layla, answers...))
	}
	if _, err := apply(visa, shift, answerInput("years", "3")); fieldOf(err) != "answers[2].value" {
		t.Errorf("a string for a number: %v", err)
	}
	if _, total := expect.Listed(t, expect.Must(p.API.Candidates(t.Context(), job, ""))(t)); total != 0 {
		t.Errorf("%d applications after a rejected one", total)
	}
	made := expect.Must(apply(visa, shift, years))(t).GetApplication()
	expect.Must(calls.WithdrawApplication(t.Context(), &candidatev1.WithdrawApplicationRequest{ApplicationId: made.GetApplicationId()}))(t)
	if _, err := apply(visa, shift, years); !scene.AlreadyApplied(err) {
		t.Errorf("applying again after a withdrawal: %v, want ALREADY_APPLIED", err)
	}
	checkPartnerView(t, p, job, made.GetApplicationId())
}

func fieldOf(err error) string {
	if e, ok := errs.As(err); ok {
		return e.Field()
	}
	return ""
}

func checkPartnerView(t *testing.T, p scene.Platform, job, id string) {
	t.Helper()
	got := expect.Success(t, expect.Must(p.API.Candidate(t.Context(), id))(t))
	expect.Matches(t, "source", "tabbio_app", got["source"])
	expect.Matches(t, "status", "withdrawn", got["status"])
	expect.Matches(t, "answers", []any{
		answer("visa", "yes_no", true), answer("shift", "multiple_choice", "Day"), answer("years", "number", expect.Number(3)),
	}, got["screeningAnswers"])
	p.AwaitApplications(t, job, 1)

	// An answer retains the type of its original question.
	questions := []any{world.Fields{"id": "years", "prompt": "Ready?", "type": "short_answer", "required": true}}
	expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), job, world.Fields{"questions": questions}))(t))
	again := expect.Success(t, expect.Must(p.API.Candidate(t.Context(), id))(t))
	expect.Matches(t, "answers after the questions changed", got["screeningAnswers"], again["screeningAnswers"])
	expect.Refused(t, expect.Must(p.Key(t, "rival-key").Candidate(t.Context(), id))(t), notOurs.status, notOurs.code)
}

func TestOneOfFiftyApplicationsSucceeds(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.World{People: []world.Person{world.Full()}})
	company := p.Company(t)
	before := p.Job(t, company, world.Live())
	job := before["id"].(string)
	calls, layla := scene.Intake(t, p.Stack), p.Created.People["layla"].ID
	var succeeded atomic.Int32
	group, ctx := errgroup.WithContext(t.Context())
	for range 50 {
		group.Go(func() error {
			_, err := calls.Apply(ctx, scene.Applying(job, layla))
			if err == nil {
				succeeded.Add(1)
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
	if succeeded.Load() != 1 || len(rows) != 1 {
		t.Errorf("%d calls succeeded, and the list has %d applications; want one of each", succeeded.Load(), len(rows))
	}
	p.AwaitApplications(t, job, 1)
	// An application does not change the job's updatedAt.
	expect.Matches(t, "the job", expect.But(before, map[string]any{"applicationCount": expect.Number(1)}), expect.Success(t, expect.Must(p.API.Job(t.Context(), job))(t)))
}

// Jobs are closed through each of the two replicas in turn.
func TestClosedJobAcceptsNoApplication(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.World{People: []world.Person{world.Full()}})
	company := p.Company(t)
	calls, layla := scene.Intake(t, p.Stack), p.Created.People["layla"].ID
	for i := range 20 {
		job := p.Job(t, company, world.FullJob())["id"].(string)
		// This application is rejected because of its answers, but makes the candidate service read the job
		// before the job is closed.
		if _, err := calls.Apply(t.Context(), scene.Applying(job, layla)); err == nil {
			t.Fatal("an application without the required answers was accepted")
		}
		expect.Success(t, expect.Must(p.Edges(p.API)[i%2].Move(t.Context(), job, "close"))(t))
		_, err := calls.Apply(t.Context(), scene.Applying(job, layla, answerInput("visa", true), answerInput("shift", "Day"), answerInput("years", 3.0)))
		if e, ok := errs.As(err); !ok || e.Code != "JOB_NOT_LIVE" {
			t.Errorf("round %d: %v, want JOB_NOT_LIVE", i, err)
		}
		expect.Success(t, expect.Must(p.API.Move(t.Context(), job, "publish"))(t))
		expect.Must(calls.Apply(t.Context(), scene.Applying(job, layla, answerInput("visa", true), answerInput("shift", "Day"), answerInput("years", 3.0))))(t)
	}
}
