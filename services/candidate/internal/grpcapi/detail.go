package grpcapi

import (
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/projection"
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
		CandidateProfile:      hiringProfileToProto(d.Profile),
		AdditionalCvDocuments: mapped(d.Others, hiringCvToProto),
	}
	if d.Submitted != nil {
		out.SubmittedCvDocument = hiringCvToProto(*d.Submitted)
	}
	if d.Resume != nil {
		out.Resume = &candidatev1.ResumeDownload{
			DownloadUrl: d.Resume.URL, ExpiresAt: timestamp(d.Resume.ExpiresAt), Filename: null(d.Resume.Filename),
		}
	}
	return out
}

func hiringProfileToProto(p projection.HiringProfile) *candidatev1.CandidateProfile {
	return &candidatev1.CandidateProfile{
		Bio:            null(p.Bio),
		About:          null(p.About),
		Skills:         p.Skills,
		Interests:      p.Interests,
		Experience:     mapped(p.Experiences, candidateExperienceToProto),
		Education:      mapped(p.Educations, educationToProto),
		Certifications: mapped(p.Certifications, certificationToProto),
		Highlights:     mapped(p.Highlights, highlightToProto),
		Projects:       mapped(p.Projects, projectToProto),
	}
}

func candidateExperienceToProto(e cv.Experience) *candidatev1.CandidateExperience {
	return &candidatev1.CandidateExperience{
		Id:             e.ID,
		Company:        e.Company,
		Title:          e.Title,
		Location:       null(e.Location),
		LocationType:   null(e.LocationType),
		EmploymentType: null(e.EmploymentType),
		StartDate:      null(e.StartDate),
		EndDate:        null(e.EndDate),
		Current:        e.Current,
		Description:    null(e.Overview),
		Achievements:   e.Bullets,
	}
}

func hiringCvToProto(d detail.Document) *candidatev1.CandidateCvDocument {
	return &candidatev1.CandidateCvDocument{
		Id:        d.ID,
		Title:     d.Title,
		Summary:   null(d.Summary),
		CreatedAt: timestamp(d.CreatedAt),
		UpdatedAt: timestamp(d.UpdatedAt),
		Snapshot:  d.Snapshot,
		Sections:  mapped(d.Sections, sectionToProto),
	}
}

func sectionToProto(s projection.Section) *candidatev1.CvSection {
	return &candidatev1.CvSection{Kind: s.Kind, Title: s.Title, Items: mapped(s.Items, sectionItemToProto)}
}

func sectionItemToProto(item any) *candidatev1.CvSectionItem {
	out := &candidatev1.CvSectionItem{}
	switch i := item.(type) {
	case string:
		out.Item = &candidatev1.CvSectionItem_Text{Text: i}
	case cv.SkillGroup:
		out.Item = &candidatev1.CvSectionItem_SkillGroup{SkillGroup: skillGroupToProto(i)}
	case cv.Highlight:
		out.Item = &candidatev1.CvSectionItem_Highlight{Highlight: highlightToProto(i)}
	case cv.Experience:
		out.Item = &candidatev1.CvSectionItem_Experience{Experience: experienceToProto(i)}
	case cv.Education:
		out.Item = &candidatev1.CvSectionItem_Education{Education: educationToProto(i)}
	case cv.Certification:
		out.Item = &candidatev1.CvSectionItem_Certification{Certification: certificationToProto(i)}
	case cv.Project:
		out.Item = &candidatev1.CvSectionItem_Project{Project: projectToProto(i)}
	}
	return out
}
