package importer

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/world"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func (c *checker) company(s Services, company world.Company) {
	req := proto.CloneOf(company.Request)
	req.ValidateOnly = true
	ask(c, as(c.ctx, unknownParent), req, s.Companies.CreateCompany, company.Path, nil)
}

func (c *checker) job(s Services, j world.Job) {
	req := proto.CloneOf(j.Request)
	req.ValidateOnly = true
	req.CompanyId = unknownParent
	nameQuestions(req.GetQuestions()) // as the import does
	ask(c, as(c.ctx, unknownParent), req, s.Jobs.CreateJob, j.Path, nil)
}

func (c *checker) application(s Services, a world.Application, j world.Job) {
	if a.Resume != nil {
		c.resume(s, a)
	}
	// The questions get ids here, on a copy: the job must not have them.
	job := proto.CloneOf(j.Request)
	ids := nameQuestions(job.GetQuestions())
	j.Request = job
	req := proto.CloneOf(a.Request)
	req.ValidateOnly = true
	req.JobId, req.PersonId = unknownParent, unknownParent
	req.Submission = &candidatev1.ApplyRequest_CvId{CvId: unknownParent}
	req.Answers = answersOf(a, ids)
	req.Posting = postingOf(j, ids)
	places := leaveOutKnownFaults(a, req)
	askAt(c, c.ctx, req, s.Applications.Apply, func(field string) string {
		if path, is := answerInFile(field, places); is {
			return join(a.Path, path)
		}
		return join(a.Path, jsonPath(req.ProtoReflect().Descriptor(), field))
	})
}

// leaveOutKnownFaults takes out of req what package world has refused already:
// questions without a type, answers to them and to questions that do not exist, and
// required questions that the file does not answer. It gives the places in the file
// of the answers that are left.
func leaveOutKnownFaults(a world.Application, req *candidatev1.ApplyRequest) (places []int) {
	job := req.GetPosting().GetJob()
	job.ScreeningQuestions = slices.DeleteFunc(job.ScreeningQuestions, func(q *partnercatalogv1.ScreeningQuestion) bool {
		return q.GetType() == partnercatalogv1.QuestionType_QUESTION_TYPE_UNSPECIFIED
	})
	asked, answered := map[string]bool{}, map[string]bool{}
	for _, q := range job.GetScreeningQuestions() {
		asked[q.GetId()] = true
	}
	var kept []*candidatev1.AnswerInput
	for i, answer := range req.GetAnswers() {
		if asked[answer.GetQuestionId()] {
			kept = append(kept, answer)
			places = append(places, placeOf(a.Answers[i].Path))
			answered[answer.GetQuestionId()] = true
		}
	}
	req.Answers = kept
	job.ScreeningQuestions = slices.DeleteFunc(job.ScreeningQuestions, func(q *partnercatalogv1.ScreeningQuestion) bool {
		return q.GetRequired() && !answered[q.GetId()]
	})
	return places
}

// placeOf gives the last index of a path, for example 2 of "applications[0].answers[2]".
func placeOf(path string) int {
	_, last, _ := strings.Cut(path[strings.LastIndexByte(path, '['):], "[")
	i, _ := strconv.Atoi(strings.TrimSuffix(last, "]")) // package world wrote the path
	return i
}

// answerField matches the path of an answer and of a field in it.
var answerField = regexp.MustCompile(`^answers\[(\d+)\](\.[a-z_]+)?`)

// answerInFile gives the path in the application of a field of an answer, and
// whether field is one. places has the places of the answers of the request.
func answerInFile(field string, places []int) (path string, is bool) {
	m := answerField.FindStringSubmatch(field)
	if m == nil {
		return "", false
	}
	i, err := strconv.Atoi(m[1])
	if err != nil || i >= len(places) {
		return "answers", true
	}
	path = world.Index("answers", places[i])
	switch m[2] {
	case ".question_id":
		path += ".question"
	case ".value":
		path += ".value"
	}
	return path, true
}

// resume asks about a resume. A refusal that is not about its name is about its
// content.
func (c *checker) resume(s Services, a world.Application) {
	at := world.Child(a.Path, "resume")
	d := &candidatev1.ResumeDescription{PersonId: unknownParent, Filename: a.Resume.Filename, ValidateOnly: true}
	upload := func(ctx context.Context, d *candidatev1.ResumeDescription, _ ...grpc.CallOption) (*candidatev1.UploadResumeResponse, error) {
		return s.upload(ctx, d, a.Resume.Content)
	}
	askAt(c, c.ctx, d, upload, func(field string) string {
		if strings.HasSuffix(field, "filename") && d.Filename != "" {
			return world.Child(at, "filename")
		}
		return world.Child(at, "contentBase64")
	})
}
