package job

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, int(678*time.Millisecond), time.UTC)

func ptr[T any](v T) *T { return &v }

// complete returns an input that sets every section and meets the publish contract.
func complete() Input {
	return Input{
		Basics: &Basics{
			Title: "Rocket engineer", Department: "Research", Country: "United Arab Emirates", City: "Dubai",
			WorkMode: "hybrid", Employment: "full_time", Seniority: "senior",
		},
		Content: &Content{
			Summary: "Build rockets.", Responsibilities: []string{"Design"}, Requirements: []string{"Physics"},
			NiceToHave: []string{"Arabic"}, Benefits: []string{"A view"},
		},
		Compensation: &Compensation{Min: ptr(10.0), Max: ptr(20.0), Currency: "AED", Period: "monthly", Visible: true},
		Eligibility:  &Eligibility{CandidateLocation: "uae", ExperienceYears: "3_plus", Language: "english", WorkEligibility: "eligible"},
		Programme:    &WorkforceProgramme{Value: "emirati", Note: "Note", Acknowledged: true},
		Questions: []Question{
			{ID: "q1", Prompt: "Why?", Type: "long_answer", Required: true, Order: ptr[int32](1), Source: "custom"},
			{ID: "q2", Prompt: "Which?", Type: MultipleChoice, Order: ptr[int32](2), Options: []string{"This", "That"}},
			{ID: "q3", Prompt: "How much?", Type: "number", Source: "default", DefaultKey: "expected_salary"},
		},
		Distribution: "tabbio_and_company",
		Confidential: &Confidentiality{PublicLabel: "A space company"},
	}
}

// check validates a request to create a job.
func check(in Input, saveAs string) error {
	s := &Service{Config{Clock: clock.NewFake(start)}}
	return s.ValidateCreate(New{CompanyID: "com_1", SaveAs: saveAs, Input: in})
}

// wants checks the kind and the first invalid field of an error. If field is empty, the error must
// be nil.
func wants(t *testing.T, what string, err error, kind errs.Kind, field string) {
	t.Helper()
	if field == "" {
		if err != nil {
			t.Errorf("%s: %v, want no fault", what, err)
		}
		return
	}
	var e *errs.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Code != "PUBLIC_API_VALIDATION_ERROR" || e.Field() != field || e.Message == "" {
		t.Errorf("%s: %v, want a fault in %s", what, err, field)
	}
}
