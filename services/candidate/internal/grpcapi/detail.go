package grpcapi

import (
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/message"
)

func detailToProto(d detail.Detail) *candidatev1.ApplicationDetail {
	row := applicationToProto(d.Row)
	out := &candidatev1.ApplicationDetail{
		ApplicationId:         row.GetApplicationId(),
		JobId:                 row.GetJobId(),
		CompanyId:             row.GetCompanyId(),
		Status:                row.GetStatus(),
		AppliedAt:             row.GetAppliedAt(),
		UpdatedAt:             row.GetUpdatedAt(),
		Source:                row.GetSource(),
		ScreeningAnswers:      row.GetScreeningAnswers(),
		StatusHistory:         row.GetStatusHistory(),
		Candidate:             row.GetCandidate(),
		SubmittedCv:           row.GetSubmittedCv(),
		CoverLetter:           message.Text(d.CoverLetter),
		CandidateProfile:      d.Profile,
		SubmittedCvDocument:   d.Submitted,
		AdditionalCvDocuments: d.Others,
	}
	if d.Resume != nil {
		out.Resume = &candidatev1.ResumeDownload{
			DownloadUrl: d.Resume.URL, ExpiresAt: message.Time(d.Resume.ExpiresAt), Filename: message.Text(d.Resume.Filename),
		}
	}
	return out
}
