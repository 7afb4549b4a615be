package grpcapi

import (
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/detail"
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
		CoverLetter:           null(d.CoverLetter),
		CandidateProfile:      d.Profile,
		SubmittedCvDocument:   d.Submitted,
		AdditionalCvDocuments: d.Others,
	}
	if d.Resume != nil {
		out.Resume = &candidatev1.ResumeDownload{
			DownloadUrl: d.Resume.URL, ExpiresAt: timestamp(d.Resume.ExpiresAt), Filename: null(d.Resume.Filename),
		}
	}
	return out
}
