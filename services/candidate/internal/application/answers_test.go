package application_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/application"
)

var questions = []application.Question{
	{ID: "q_yes", Type: application.YesNo, Required: true},
	{ID: "q_choice", Type: application.MultipleChoice, Options: []string{"Dubai", "دبي"}},
	{ID: "q_short", Type: application.ShortAnswer, Required: true},
	{ID: "q_long", Type: application.LongAnswer},
	{ID: "q_number", Type: application.Number},
}

func service(t *testing.T) *application.Service {
	t.Helper()
	s, err := application.NewService(application.Config{Store: nowhere{}, Catalog: nowhere{}, Counted: nowhere{}, Clock: clock.NewFake(start)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func give(questionID string, value any) application.AnswerInput {
	return application.AnswerInput{QuestionID: questionID, Value: value}
}

// minimal returns answers to the required questions, followed by the answers in more.
func minimal(more ...application.AnswerInput) []application.AnswerInput {
	return append([]application.AnswerInput{give("q_yes", true), give("q_short", "s")}, more...)
}

func check(t *testing.T, answers ...application.AnswerInput) error {
	t.Helper()
	return service(t).ValidateApply(application.Request{
		JobID: "job_1", PersonID: "usr_1", Submission: application.Submission{CvID: "master"}, Answers: answers,
	}, application.Posting{JobID: "job_1", Live: true, Questions: questions})
}

func TestRejectedAnswerMessages(t *testing.T) {
	err := check(t, give("q_yes", "yes"), give("q_short", "s"))
	if e, ok := errs.As(err); !ok || e.Field() != "answers[0].value" || !strings.HasSuffix(e.Message, ": must be true or false") {
		t.Errorf("the answers were rejected with %v", err)
	}
}

func TestAnswerTypeMustMatchQuestion(t *testing.T) {
	long := strings.Repeat("ع", 20_000)
	for _, c := range []struct {
		question string
		good     []any
		bad      []any
	}{
		{"q_yes", []any{true, false}, []any{nil, "yes", 1.0}},
		{"q_choice", []any{"Dubai", "دبي"}, []any{nil, "dubai", "", "Sharjah", true, 0.0}},
		{"q_short", []any{"x", " x ", long[:2000]}, []any{nil, "", " \n", long[:2002], 5.0, true, "a\x00", "\xff"}},
		{"q_long", []any{"", " ", long}, []any{nil, long + "ع", false, 1.0, "a\x00"}},
		{"q_number", []any{0.0, -1.5, math.MaxFloat64, math.SmallestNonzeroFloat64}, []any{nil, "5", math.NaN(), math.Inf(1), math.Inf(-1), true}},
	} {
		answers := minimal()
		at := 0
		for at < len(answers) && answers[at].QuestionID != c.question {
			at++
		}
		if at == len(answers) {
			answers = append(answers, application.AnswerInput{QuestionID: c.question})
		}
		path := []string{"answers[0].value", "answers[1].value", "answers[2].value"}[at]
		for _, value := range c.good {
			answers[at].Value = value
			if err := check(t, answers...); err != nil {
				t.Errorf("%s: %.20v: %v", c.question, value, err)
			}
		}
		for _, value := range c.bad {
			answers[at].Value = value
			refused(t, check(t, answers...), path)
		}
	}
}

func refused(t *testing.T, err error, path string) {
	t.Helper()
	if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid || e.Code != "INVALID_ARGUMENT" || e.Field() != path {
		t.Errorf("error %v, want an invalid field %s", err, path)
	}
}

func TestRequiredQuestionsNeedOneAnswer(t *testing.T) {
	refused(t, check(t, minimal(give("q_other", true))...), "answers[2].question_id")
	refused(t, check(t, minimal(give("q_yes", false))...), "answers[2].question_id")
	refused(t, check(t, give("q_yes", true)), "answers")
	refused(t, check(t), "answers")
}

func TestTotalAnswerSizeIsLimited(t *testing.T) {
	room := 40<<10 - len("q_yes") - len("q_short"+"s") - len("q_long")
	emoji := strings.Repeat("😀", room/4)
	if err := check(t, minimal(give("q_long", emoji))...); err != nil {
		t.Error(err)
	}
	refused(t, check(t, minimal(give("q_long", emoji+"😀"))...), "answers")
}

func TestAnswersRoundTripInOrder(t *testing.T) {
	want := []application.Answer{
		{QuestionID: "q_yes", Type: application.YesNo, Value: false},
		{QuestionID: "q_choice", Type: application.MultipleChoice, Value: "دبي"},
		{QuestionID: "q_short", Type: application.ShortAnswer, Value: "«\"\\\u2028"},
		{QuestionID: "q_number", Type: application.Number, Value: 0.1 + 0.2},
	}
	raw, err := application.EncodeAnswers(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := application.DecodeAnswers(raw); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the decoded answers are %v, %v", got, err)
	}
	for _, bad := range []string{``, `{}`, `{"v":2}`, `[]`} {
		if _, err := application.DecodeAnswers([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

func TestInvalidRequestIsRejectedEarly(t *testing.T) {
	good := application.Request{JobID: "job_1", PersonID: "usr_1", Submission: application.Submission{CvID: "master"}}
	for path, spoil := range map[string]func(r *application.Request){
		"job_id":       func(r *application.Request) { r.JobID = "job\x00" },
		"person_id":    func(r *application.Request) { r.PersonID = "\x00" },
		"cv_id":        func(r *application.Request) { r.CvID = "cv\x00" },
		"resume_id":    func(r *application.Request) { r.CvID, r.ResumeID = "", "res\x00" },
		"cover_letter": func(r *application.Request) { r.CoverLetter = strings.Repeat("x", 20_001) },
		"applied_at":   func(r *application.Request) { r.AppliedAt = start.Add(1000) },
	} {
		r := good
		spoil(&r)
		_, err := service(t).Apply(t.Context(), r)
		refused(t, err, path)
	}
}

func TestClosedJobRejectsApplications(t *testing.T) {
	r := application.Request{JobID: "job_1", PersonID: "usr_1", Submission: application.Submission{CvID: "master"}}
	if err := service(t).ValidateApply(r, application.Posting{JobID: "job_1"}); !errs.HasCode(err, "JOB_NOT_LIVE") {
		t.Errorf("applying to a closed job: %v", err)
	}
}

func TestInvalidListIsRejectedEarly(t *testing.T) {
	for field, f := range map[string]application.Filter{
		"status": {Status: "hired"},
		"query":  {Query: strings.Repeat("ع", 201)},
	} {
		_, err := service(t).ForJob(t.Context(), application.ListRequest{AppID: "app_1", Filter: f, Page: application.Page{Size: 1}})
		if e, ok := errs.As(err); !ok || e.Code != "PUBLIC_API_VALIDATION_ERROR" || e.Field() != field || e.Kind != errs.Invalid {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, query := range []string{"a\x00", "\xff"} {
		if _, err := service(t).ForJob(t.Context(), application.ListRequest{AppID: "app_1", Filter: application.Filter{Query: query}, Page: application.Page{Size: 1}}); errs.KindOf(err) != errs.Invalid {
			t.Errorf("%q: %v", query, err)
		}
	}
}

func TestInvalidIDIsNotLookedUp(t *testing.T) {
	for _, id := range []string{"", "apl_", "apl_\x00", "job_1"} {
		if _, err := service(t).Reject(t.Context(), id); !errs.HasCode(err, "APPLICATION_NOT_FOUND") {
			t.Errorf("%q: %v", id, err)
		}
	}
}
