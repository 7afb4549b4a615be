package importer

import (
	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/id"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// nameQuestions sets the id of each question that has none, and returns all ids in order. Answers in a file
// refer to questions by index, but answers in a request refer to them by id.
func nameQuestions(questions []*partnercatalogv1.QuestionInput) []string {
	ids := make([]string, len(questions))
	for i, q := range questions {
		if q.GetId() == "" {
			made := id.New("qst")
			q.Id = &made
		}
		ids[i] = q.GetId()
	}
	return ids
}

// answersOf converts the answers of an application. questions holds the question ids by index. An answer to a
// missing question gets no id.
func answersOf(a world.Application, questions []string) []*candidatev1.AnswerInput {
	var out []*candidatev1.AnswerInput
	for _, answer := range a.Answers {
		input := &candidatev1.AnswerInput{Value: answer.Value}
		if answer.Question >= 0 && answer.Question < len(questions) {
			input.QuestionId = questions[answer.Question]
		}
		out = append(out, input)
	}
	return out
}

// postingOf returns a live posting of the job with only the fields that an application depends on.
func postingOf(j world.Job, ids []string) *partnercatalogv1.JobPosting {
	job := &partnercatalogv1.Job{Id: unknownParent, CompanyId: unknownParent, Status: partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE}
	for i, q := range j.Request.GetQuestions() {
		job.ScreeningQuestions = append(job.ScreeningQuestions, &partnercatalogv1.ScreeningQuestion{
			Id: ids[i], Prompt: q.GetPrompt(), Type: q.GetType(), Required: q.GetRequired(), Options: q.GetOptions(),
		})
	}
	return &partnercatalogv1.JobPosting{Job: job, AppId: unknownParent}
}
