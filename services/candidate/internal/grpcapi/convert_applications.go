package grpcapi

import (
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/validate"
)

// The names of the contract and of the domain, both ways. An unset source is an
// empty one.
var (
	statuses = map[candidatev1.ApplicationStatus]application.Status{
		candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED:     application.Applied,
		candidatev1.ApplicationStatus_APPLICATION_STATUS_REVIEWED:    application.Reviewed,
		candidatev1.ApplicationStatus_APPLICATION_STATUS_SHORTLISTED: application.Shortlisted,
		candidatev1.ApplicationStatus_APPLICATION_STATUS_INTERVIEW:   application.Interview,
		candidatev1.ApplicationStatus_APPLICATION_STATUS_OFFERED:     application.Offered,
		candidatev1.ApplicationStatus_APPLICATION_STATUS_REJECTED:    application.Rejected,
		candidatev1.ApplicationStatus_APPLICATION_STATUS_WITHDRAWN:   application.Withdrawn,
	}
	sources = map[candidatev1.ApplicationSource]application.Source{
		candidatev1.ApplicationSource_APPLICATION_SOURCE_TABBIO_APP:      application.SourceApp,
		candidatev1.ApplicationSource_APPLICATION_SOURCE_PUBLIC_PAGE:     application.SourcePublicPage,
		candidatev1.ApplicationSource_APPLICATION_SOURCE_PUBLIC_NEW_USER: application.SourcePublicNewUser,
	}
	statusesToProto      = inverse(statuses)
	sourcesToProto       = inverse(sources)
	questionTypesToProto = map[application.QuestionType]partnercatalogv1.QuestionType{
		application.YesNo:          partnercatalogv1.QuestionType_QUESTION_TYPE_YES_NO,
		application.MultipleChoice: partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE,
		application.ShortAnswer:    partnercatalogv1.QuestionType_QUESTION_TYPE_SHORT_ANSWER,
		application.LongAnswer:     partnercatalogv1.QuestionType_QUESTION_TYPE_LONG_ANSWER,
		application.Number:         partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER,
	}
)

func inverse[K, V comparable](m map[K]V) map[V]K {
	out := make(map[V]K, len(m))
	for k, v := range m {
		out[v] = k
	}
	return out
}

func requestFromProto(r *candidatev1.ApplyRequest) (application.Request, error) {
	out := application.Request{
		JobID:       r.GetJobId(),
		PersonID:    r.GetPersonId(),
		Submission:  application.Submission{CvID: r.GetCvId(), ResumeID: r.GetResumeId()},
		CoverLetter: r.GetCoverLetter(),
		Answers:     mapped(r.GetAnswers(), answerFromProto),
		Source:      sources[r.GetSource()],
	}
	if r.GetAppliedAt() != nil {
		if err := r.GetAppliedAt().CheckValid(); err != nil {
			return application.Request{}, errs.New(errs.Invalid, validate.Code, "applied_at: must be a time").WithField("applied_at").WithCause(err)
		}
		out.AppliedAt = r.GetAppliedAt().AsTime()
	}
	return out, nil
}

func answerFromProto(a *candidatev1.AnswerInput) application.AnswerInput {
	out := application.AnswerInput{QuestionID: a.GetQuestionId()}
	switch v := a.GetValue().GetValue().(type) {
	case *candidatev1.AnswerValue_Text:
		out.Value = v.Text
	case *candidatev1.AnswerValue_Number:
		out.Value = v.Number
	case *candidatev1.AnswerValue_Yes:
		out.Value = v.Yes
	}
	return out
}

func answerToProto(a application.Answer) *candidatev1.ScreeningAnswer {
	value := &candidatev1.AnswerValue{}
	switch v := a.Value.(type) {
	case string:
		value.Value = &candidatev1.AnswerValue_Text{Text: v}
	case float64:
		value.Value = &candidatev1.AnswerValue_Number{Number: v}
	case bool:
		value.Value = &candidatev1.AnswerValue_Yes{Yes: v}
	}
	return &candidatev1.ScreeningAnswer{QuestionId: a.QuestionID, Type: questionTypesToProto[a.Type], Value: value}
}

func changeToProto(c application.Change) *candidatev1.StatusChange {
	return &candidatev1.StatusChange{Status: statusesToProto[c.Status], At: timestamp(c.At)}
}

func candidateToProto(c application.Candidate) *candidatev1.Candidate {
	return &candidatev1.Candidate{
		UserId:   c.PersonID,
		Name:     c.Name,
		Username: null(c.Username),
		Image:    null(c.Image),
		Email:    c.Email,
		Title:    null(c.Headline),
	}
}

func applicationToProto(r application.Row) *candidatev1.Application {
	out := &candidatev1.Application{
		ApplicationId:    r.ID,
		JobId:            r.JobID,
		CompanyId:        r.CompanyID,
		Status:           statusesToProto[r.Status],
		AppliedAt:        timestamp(r.AppliedAt),
		UpdatedAt:        timestamp(r.UpdatedAt),
		Source:           sourcesToProto[r.Source],
		ScreeningAnswers: mapped(r.Answers, answerToProto),
		StatusHistory:    mapped(r.History, changeToProto),
		Candidate:        candidateToProto(r.Candidate),
	}
	if r.Cv != nil {
		out.SubmittedCv = referenceToProto(*r.Cv)
	}
	return out
}
