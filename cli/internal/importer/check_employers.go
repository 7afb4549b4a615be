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
	nameQuestions(req.GetQuestions()) // as in the import
	ask(c, as(c.ctx, unknownParent), req, s.Jobs.CreateJob, j.Path, nil)
}

func (c *checker) application(s Services, a world.Application, j world.Job) {
	if a.Resume != nil {
		c.resume(s, a)
	}
	// Set the question ids on a copy, because the job is created without them.
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

// leaveOutKnownFaults removes everything that package world has already rejected from req: questions without a
// type, answers to these questions or to missing questions, and required questions without an answer. It
// returns, for each remaining answer, its index in the file.
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

// placeOf returns the last index in a path, for example 2 for "applications[0].answers[2]".
func placeOf(path string) int {
	_, last, _ := strings.Cut(path[strings.LastIndexByte(path, '['):], "[")
	i, _ := strconv.Atoi(strings.TrimSuffix(last, "]")) // cannot fail: package world wrote the path
	return i
}

var answerField = regexp.MustCompile(`^answers\[(\d+)\](\.[a-z_]+)?`)

// answerInFile maps a field of an answer to its path in the application. It returns false for other fields.
// places holds, for each answer in the request, its index in the file.
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

// resume checks a resume. Errors that do not concern its file name concern its content.
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
