package importer

import (
	"context"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// contract returns a publish-contract error for the given fields.
func contract(fields ...string) error {
	faults := fault.New(errs.Precondition, fault.CodeValidation)
	for _, field := range fields {
		faults.Add(field, "is wrong")
	}
	return faults.Err()
}

// refuseEmployers rejects every kind of request about companies, jobs and applications.
func refuseEmployers(t *testing.T, call conntest.Call) error {
	switch req := call.Request.(type) {
	case *partnercatalogv1.CreateCompanyRequest:
		switch {
		case call.Principal.GetAppId() == "":
			return errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", "none")
		case req.GetSlug() == "own":
			return invalid("slug", "description")
		}
		return invalid("description")
	case *partnercatalogv1.CreateJobRequest:
		switch {
		case req.GetSaveAs() != partnercatalogv1.SaveAs_SAVE_AS_LIVE:
			return nil
		case len(req.GetQuestions()) > 2:
			return contract("questions[2].prompt", "content.requirements")
		}
		return contract("content.requirements[0]")
	case *candidatev1.ApplyRequest:
		if req.GetPosting().GetJob().GetStatus() != partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE {
			t.Errorf("the dry run has a job that is not live: %v", req.GetPosting())
		}
		asked := map[string]partnercatalogv1.QuestionType{}
		for _, q := range req.GetPosting().GetJob().GetScreeningQuestions() {
			asked[q.GetId()] = q.GetType()
		}
		for i, a := range req.GetAnswers() {
			if asked[a.GetQuestionId()] == partnercatalogv1.QuestionType_QUESTION_TYPE_UNSPECIFIED {
				t.Errorf("answer %d refers to a question that the job does not have", i)
			}
		}
		if len(req.GetAnswers()) > 0 {
			return invalid("applied_at", "answers[0].question_id", "answers[1].value.number", "answers[2]", "posting.job")
		}
	case *candidatev1.UploadResumeRequest:
		return invalid("description.filename", "chunk")
	}
	return nil
}

func TestCheckReportsEmployerErrors(t *testing.T) {
	paths, err := check(t, employersFile, func(call conntest.Call) error { return refuseEmployers(t, call) })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"companies[0].description", "companies[1].slug", "companies[1].description",
		"jobs[0].questions[2].prompt", "jobs[0].content.requirements", "jobs[2].content.requirements[0]", "jobs[4].content.requirements[0]",
		"applications[0].appliedAt", "applications[0].answers[0].question", "applications[0].answers[1].value", "applications[0].answers", "applications[0]",
		"applications[2].resume.filename", "applications[2].resume.contentBase64",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("faults at\n%q, want\n%q", paths, want)
	}
}

// Errors must contain the answer's index in the file, even if package world has rejected other answers and
// the request therefore does not contain them.
func TestAnswersKeepTheirIndexes(t *testing.T) {
	raw := strings.Replace(employersFile, `[{"question": 1, "value": 3.5}, {"question": 0, "value": true}]`,
		`[{"question": 9, "value": 3.5}, {"question": 1, "value": 3.5}, {"question": -1, "value": 1}, {"question": 0, "value": true}]`, 1)
	var faults world.Faults
	w := world.Parse([]byte(raw), &faults)
	before := len(faults.List())
	conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) {
		if req, ok := call.Request.(*candidatev1.ApplyRequest); ok && len(req.GetAnswers()) == 2 {
			return nil, invalid("answers[0].value", "answers[1]")
		}
		return nil, nil
	}}
	if err := Check(context.Background(), services(conn), w, &faults); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range faults.List()[before:] {
		paths = append(paths, f.Path)
	}
	want := []string{"applications[0].answers[1].value", "applications[0].answers[3]"}
	if before != 2 || !slices.Equal(paths, want) {
		t.Errorf("%d faults before Check, then faults at %q, want %q", before, paths, want)
	}
}

// The services reject the same values that package world has already rejected.
func TestKnownErrorsAreListedOnce(t *testing.T) {
	raw := strings.NewReplacer(
		`{"question": 0, "value": true}`, `{"question": 7, "value": {}}, {"question": "2", "value": 5}`,
		`"basics": {"title": "T", `, `"basics": {`,
		`"type": "number"`, `"type": "numeral"`,
		`{"ref": "y", "job": "open", `, `{"ref": "y", "job": "opem", "answers": [{"question": 0, "value": true}], `,
	).Replace(employersFile)
	var faults world.Faults
	w := world.Parse([]byte(raw), &faults)
	before := len(faults.List())
	conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) {
		switch req := call.Request.(type) {
		case *partnercatalogv1.CreateJobRequest:
			if req.GetBasics().GetTitle() == "" {
				if len(req.GetQuestions()) > 0 {
					return nil, contract("basics.title", "questions[1].type")
				}
				return nil, contract("basics.title")
			}
		case *candidatev1.ApplyRequest:
			// Package world has already rejected every answer in the file, so none may be sent.
			if len(req.GetAnswers()) > 0 {
				return nil, invalid("answers[0].value")
			}
			for _, q := range req.GetPosting().GetJob().GetScreeningQuestions() {
				if q.GetRequired() {
					return nil, invalid("answers")
				}
			}
		}
		return nil, nil
	}}
	if err := Check(context.Background(), services(conn), w, &faults); err != nil {
		t.Fatal(err)
	}
	if added := faults.List()[before:]; len(added) > 0 || before == 0 {
		t.Errorf("%d faults before Check, then also %v", before, added)
	}
}
