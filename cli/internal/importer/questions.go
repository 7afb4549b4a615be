package importer

import (
	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/id"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// nameQuestions gives an id to every question that has none, and returns all ids in
// order. The answers of a file name questions by their place in the file. With ids of
// its own the importer knows which question of the created job that is.
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

// answersOf gives the answers of an application to questions with these ids. An
// answer to a question that does not exist gets no id.
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

// postingOf gives the job in its live state, with the fields that applying reads.
func postingOf(j world.Job, ids []string) *partnercatalogv1.JobPosting {
	job := &partnercatalogv1.Job{Id: unknownParent, CompanyId: unknownParent, Status: partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE}
	for i, q := range j.Request.GetQuestions() {
		job.ScreeningQuestions = append(job.ScreeningQuestions, &partnercatalogv1.ScreeningQuestion{
			Id: ids[i], Prompt: q.GetPrompt(), Type: q.GetType(), Required: q.GetRequired(), Options: q.GetOptions(),
		})
	}
	return &partnercatalogv1.JobPosting{Job: job, AppId: unknownParent}
}
