package grpcapi

import (
	"cmp"
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/paging"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/vocabulary"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/clients/partnercatalog"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/message"
)

type applicationServer struct {
	candidatev1.UnimplementedApplicationServiceServer
	applications *application.Service
	details      *detail.Service
}

func (s *applicationServer) ListJobApplications(ctx context.Context, req *candidatev1.ListJobApplicationsRequest) (*candidatev1.ListJobApplicationsResponse, error) {
	wanted, page := listRequestFromProto(req, principal.FromContext(ctx).GetAppId())
	list, err := s.applications.ForJob(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return &candidatev1.ListJobApplicationsResponse{
		Applications: message.List(list.Rows, applicationToProto),
		Paging:       page.Of(list.Total),
	}, nil
}

func (s *applicationServer) GetApplication(ctx context.Context, req *candidatev1.GetApplicationRequest) (*candidatev1.GetApplicationResponse, error) {
	found, err := s.details.Get(ctx, principal.FromContext(ctx).GetAppId(), req.GetApplicationId())
	if err != nil {
		return nil, err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: found.PersonID})
	return &candidatev1.GetApplicationResponse{Application: detailToProto(found)}, nil
}

type applicationIntakeServer struct {
	candidatev1.UnimplementedApplicationIntakeServiceServer
	applications *application.Service
}

func (s *applicationIntakeServer) Apply(ctx context.Context, req *candidatev1.ApplyRequest) (*candidatev1.ApplyResponse, error) {
	wanted := requestFromProto(req)
	if req.GetValidateOnly() {
		if err := s.applications.ValidateApply(wanted, partnercatalog.PostingFromProto(req.GetPosting())); err != nil {
			return nil, err
		}
		return &candidatev1.ApplyResponse{}, nil
	}
	made, err := s.applications.Apply(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return &candidatev1.ApplyResponse{Application: applicationToProto(made)}, nil
}

func (s *applicationIntakeServer) AdvanceApplication(ctx context.Context, req *candidatev1.AdvanceApplicationRequest) (*candidatev1.AdvanceApplicationResponse, error) {
	moved, err := s.applications.Advance(ctx, req.GetApplicationId(), application.Status(statuses.Word(req.GetStatus())))
	if err != nil {
		return nil, err
	}
	return &candidatev1.AdvanceApplicationResponse{Application: applicationToProto(moved)}, nil
}

func (s *applicationIntakeServer) RejectApplication(ctx context.Context, req *candidatev1.RejectApplicationRequest) (*candidatev1.RejectApplicationResponse, error) {
	moved, err := s.applications.Reject(ctx, req.GetApplicationId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.RejectApplicationResponse{Application: applicationToProto(moved)}, nil
}

func (s *applicationIntakeServer) WithdrawApplication(ctx context.Context, req *candidatev1.WithdrawApplicationRequest) (*candidatev1.WithdrawApplicationResponse, error) {
	moved, err := s.applications.Withdraw(ctx, req.GetApplicationId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.WithdrawApplicationResponse{Application: applicationToProto(moved)}, nil
}

func requestFromProto(r *candidatev1.ApplyRequest) application.Request {
	out := application.Request{
		JobID:       r.GetJobId(),
		PersonID:    r.GetPersonId(),
		Submission:  application.Submission{CvID: r.GetCvId(), ResumeID: r.GetResumeId()},
		CoverLetter: r.GetCoverLetter(),
		Answers:     message.List(r.GetAnswers(), answerFromProto),
		Source:      application.Source(sources.Word(r.GetSource())),
	}
	switch at := r.GetAppliedAt(); {
	case at == nil:
	case at.IsValid():
		out.AppliedAt = at.AsTime()
	default:
		out.Unreadable = append(out.Unreadable, errs.Violation{Field: "applied_at", Description: "must be a time"})
	}
	return out
}

// listRequestFromProto converts an app's request for a page of applications.
func listRequestFromProto(r *candidatev1.ListJobApplicationsRequest, appID string) (application.ListRequest, paging.Page) {
	page, err := paging.Parse(r.Page, r.PageSize)
	out := application.ListRequest{
		AppID:  appID,
		Filter: application.Filter{JobID: r.GetJobId(), Query: r.GetQuery()},
		Page:   application.Page{Offset: page.Offset(), Size: page.Size},
	}
	if e, ok := errs.As(err); ok {
		out.Unreadable = e.Violations
	}
	if r.Status != nil {
		// A status that was given must be valid, so replace an empty word with an unknown one.
		out.Filter.Status = application.Status(cmp.Or(statuses.Word(r.GetStatus()), vocabulary.Unknown))
	}
	return out, page
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
	return &candidatev1.ScreeningAnswer{QuestionId: a.QuestionID, Type: questionTypes.Value(string(a.Type)), Value: value}
}

func changeToProto(c application.Change) *candidatev1.StatusChange {
	return &candidatev1.StatusChange{Status: statuses.Value(string(c.Status)), At: message.Time(c.At)}
}

// candidateToProto sets the person's id in place of the photo's URL. The gateway replaces the id with a
// signed URL, because only the gateway has the signing key (behaviour: photos#photos-of-applicants).
func candidateToProto(c application.Candidate) *candidatev1.Candidate {
	out := &candidatev1.Candidate{
		UserId:   c.PersonID,
		Name:     c.Name,
		Username: message.Text(c.Username),
		Email:    c.Email,
		Title:    message.Text(c.Headline),
	}
	if c.HasPhoto {
		out.Image = message.Text(c.PersonID)
	}
	return out
}

func applicationToProto(r application.Row) *candidatev1.Application {
	out := &candidatev1.Application{
		ApplicationId:    r.ID,
		JobId:            r.JobID,
		CompanyId:        r.CompanyID,
		Status:           statuses.Value(string(r.Status)),
		AppliedAt:        message.Time(r.AppliedAt),
		UpdatedAt:        message.Time(r.UpdatedAt),
		Source:           sources.Value(string(r.Source)),
		ScreeningAnswers: message.List(r.Answers, answerToProto),
		StatusHistory:    message.List(r.History, changeToProto),
		Candidate:        candidateToProto(r.Candidate),
	}
	if r.Cv != nil {
		out.SubmittedCv = referenceToProto(*r.Cv)
	}
	return out
}
