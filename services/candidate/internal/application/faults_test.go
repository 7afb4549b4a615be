package application_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/application"
)

// faultsOf returns the invalid fields that an error reports, and the messages about them.
func faultsOf(t *testing.T, err error) (paths, rules []string) {
	t.Helper()
	e, ok := errs.As(err)
	if !ok {
		t.Fatalf("error %v has no code", err)
	}
	for _, v := range e.Violations {
		paths, rules = append(paths, v.Field), append(rules, v.Description)
	}
	return paths, rules
}

func TestDryRunListsAllInvalidFields(t *testing.T) {
	r := application.Request{
		JobID: "job\x00", PersonID: "usr_1", Submission: application.Submission{CvID: "master"},
		CoverLetter: strings.Repeat("x", 20_001), AppliedAt: start.Add(time.Hour),
		Answers: []application.AnswerInput{
			give("q_choice", "Sharjah"), give("q_other", true), give("q_number", 5.0), give("q_number", 6.0), give("q_long", true),
		},
	}
	posting := application.Posting{JobID: "job_1", Live: true, Questions: questions}
	paths, rules := faultsOf(t, service(t).ValidateApply(r, posting))
	want := []string{
		"job_id", "cover_letter", "applied_at",
		"answers[0].value", "answers[1].question_id", "answers[3].question_id", "answers[4].value", "answers",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("the invalid fields are\n%q, want\n%q", paths, want)
	}
	if got := rules[len(rules)-1]; got != "must answer the questions q_yes, q_short" {
		t.Errorf("the message about missing answers is %q", got)
	}
	// The error about a closed job does not hide the other errors.
	posting.Live = false
	if again, _ := faultsOf(t, service(t).ValidateApply(r, posting)); !slices.Equal(again, want) {
		t.Errorf("for a job that is not live, the invalid fields are %q", again)
	}
}

func TestRequestIsValidatedBeforeJobLookup(t *testing.T) {
	_, err := service(t).Apply(t.Context(), application.Request{
		JobID: "job_1", PersonID: "\x00", CoverLetter: "\x00",
		Unreadable: []errs.Violation{{Field: "applied_at", Description: "must be a time"}},
	})
	paths, rules := faultsOf(t, err)
	if want := []string{"applied_at", "person_id", "cover_letter"}; !slices.Equal(paths, want) || rules[0] != "must be a time" {
		t.Errorf("the invalid fields are %q (%q), want %q", paths, rules, want)
	}
}

func TestErrorNamesSingleMissingAnswer(t *testing.T) {
	_, rules := faultsOf(t, check(t, give("q_yes", true)))
	if !slices.Equal(rules, []string{"must answer the question q_short"}) {
		t.Errorf("the messages are %q", rules)
	}
}

func TestInvalidListNamesAllFields(t *testing.T) {
	_, err := service(t).ForJob(t.Context(), application.ListRequest{
		AppID: "app_1", Filter: application.Filter{JobID: "job_1", Status: "hired", Query: "\x00"},
		Unreadable: []errs.Violation{{Field: "page", Description: "must be a whole number from 1"}},
	})
	if paths, _ := faultsOf(t, err); !slices.Equal(paths, []string{"page", "status", "query"}) {
		t.Errorf("the invalid fields are %q", paths)
	}
}
