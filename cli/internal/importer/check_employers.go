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
	askFrom(c, as(c.ctx, unknownParent), req, s.Companies.CreateCompany, newReduction(req).field,
		func(f string) string { return join(company.Path, f) })
}

func (c *checker) job(s Services, j world.Job) {
	req := proto.CloneOf(j.Request)
	req.ValidateOnly = true
	req.CompanyId = unknownParent
	nameQuestions(req.GetQuestions()) // as it will be created
	askFrom(c, as(c.ctx, unknownParent), req, s.Jobs.CreateJob, newReduction(req).field,
		func(f string) string { return join(j.Path, f) })
}

func (c *checker) application(s Services, a world.Application, j world.Job) {
	if a.Resume != nil {
		c.resume(s, a)
	}
	// The questions get their ids here: they are nobody else's to see.
	job := proto.CloneOf(j.Request)
	ids := nameQuestions(job.GetQuestions())
	j.Request = job
	req := proto.CloneOf(a.Request)
	req.ValidateOnly = true
	req.JobId, req.PersonId = unknownParent, unknownParent
	req.Submission = &candidatev1.ApplyRequest_CvId{CvId: unknownParent}
	req.Answers = answersOf(a, ids)
	req.Posting = postingOf(j, ids)
	answers := newAnswerSheet(a, req)
	rest := newReduction(req)
	askFrom(c, c.ctx, req, s.Applications.Apply,
		func(field string) (string, bool) {
			if path, is := answers.takeOut(field); is {
				return path, true
			}
			return rest.field(field)
		},
		func(f string) string { return join(a.Path, f) })
}

// answerSheet is the answers of a request whose refused ones are taken out,
// together with their questions: an answer that was refused is not missing.
type answerSheet struct {
	req *candidatev1.ApplyRequest
	// places in the file of the answers that are left.
	places []int
}

// newAnswerSheet starts on a request with every answer of a. What is known to be
// wrong already is not asked about: questions without a type, answers to them and
// to questions that are not there, and questions that the file leaves out and may
// not.
func newAnswerSheet(a world.Application, req *candidatev1.ApplyRequest) *answerSheet {
	sheet := &answerSheet{req: req}
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
			sheet.places = append(sheet.places, placeOf(a.Answers[i].Path))
			answered[answer.GetQuestionId()] = true
		}
	}
	req.Answers = kept
	job.ScreeningQuestions = slices.DeleteFunc(job.ScreeningQuestions, func(q *partnercatalogv1.ScreeningQuestion) bool {
		return q.GetRequired() && !answered[q.GetId()]
	})
	return sheet
}

// placeOf is the last index of a path, for example 2 of "applications[0].answers[2]".
func placeOf(path string) int {
	_, last, _ := strings.Cut(path[strings.LastIndexByte(path, '['):], "[")
	i, _ := strconv.Atoi(strings.TrimSuffix(last, "]")) // Parse made it
	return i
}

// answerField matches the path of an answer and of what is in it.
var answerField = regexp.MustCompile(`^answers\[(\d+)\](\.[a-z_]+)?`)

// takeOut takes an answer out if the field is one, and says where it stands in
// the file.
func (s *answerSheet) takeOut(field string) (jsonPath string, is bool) {
	m := answerField.FindStringSubmatch(field)
	if m == nil {
		return "", false
	}
	i, err := strconv.Atoi(m[1])
	if err != nil || i >= len(s.req.GetAnswers()) {
		return "", false
	}
	jsonPath = world.Index("answers", s.places[i])
	switch m[2] {
	case ".question_id":
		jsonPath += ".question"
	case ".value":
		jsonPath += ".value"
	}
	gone := s.req.GetAnswers()[i].GetQuestionId()
	s.req.Answers = slices.Delete(s.req.Answers, i, i+1)
	s.places = slices.Delete(s.places, i, i+1)
	job := s.req.GetPosting().GetJob()
	job.ScreeningQuestions = slices.DeleteFunc(job.ScreeningQuestions, func(q *partnercatalogv1.ScreeningQuestion) bool { return q.GetId() == gone })
	return jsonPath, true
}

// resume asks about a resume. What is wrong with its bytes is told once.
func (c *checker) resume(s Services, a world.Application) {
	at := world.Child(a.Path, "resume")
	if c.faults.Known(world.Child(at, "contentBase64")) {
		return
	}
	d := &candidatev1.ResumeDescription{PersonId: unknownParent, Filename: a.Resume.Filename, ValidateOnly: true}
	upload := func(ctx context.Context, d *candidatev1.ResumeDescription, _ ...grpc.CallOption) (*candidatev1.UploadResumeResponse, error) {
		return s.upload(ctx, d, a.Resume.Content)
	}
	askFrom(c, c.ctx, d, upload,
		func(field string) (string, bool) {
			if strings.HasSuffix(field, "filename") && d.Filename != "" {
				d.Filename = ""
				return "filename", true
			}
			return "contentBase64", false
		},
		func(f string) string { return join(at, f) })
}
