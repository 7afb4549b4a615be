package grpcapi

import (
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/cv"
)

func contentFromProto(c *candidatev1.CvContent) cv.Content {
	return cv.Content{
		Summary:        c.GetSummary(),
		Bio:            c.GetBio(),
		About:          c.GetAbout(),
		Location:       c.GetLocation(),
		Socials:        c.GetSocials(),
		Languages:      c.GetLanguages(),
		Skills:         c.GetSkills(),
		SkillGroups:    mapped(c.GetSkillGroups(), skillGroupFromProto),
		Interests:      c.GetInterests(),
		Highlights:     mapped(c.GetHighlights(), highlightFromProto),
		Experiences:    mapped(c.GetExperiences(), experienceFromProto),
		Educations:     mapped(c.GetEducations(), educationFromProto),
		Certifications: mapped(c.GetCertifications(), certificationFromProto),
		Projects:       mapped(c.GetProjects(), projectFromProto),
	}
}

func contentToProto(c cv.Content) *candidatev1.CvContent {
	return &candidatev1.CvContent{
		Summary:        c.Summary,
		Bio:            c.Bio,
		About:          c.About,
		Location:       c.Location,
		Socials:        c.Socials,
		Languages:      c.Languages,
		Skills:         c.Skills,
		SkillGroups:    mapped(c.SkillGroups, skillGroupToProto),
		Interests:      c.Interests,
		Highlights:     mapped(c.Highlights, highlightToProto),
		Experiences:    mapped(c.Experiences, experienceToProto),
		Educations:     mapped(c.Educations, educationToProto),
		Certifications: mapped(c.Certifications, certificationToProto),
		Projects:       mapped(c.Projects, projectToProto),
	}
}

func skillGroupFromProto(g *cvv1.SkillGroup) cv.SkillGroup {
	return cv.SkillGroup{Category: g.GetCategory(), Items: g.GetItems()}
}

func skillGroupToProto(g cv.SkillGroup) *cvv1.SkillGroup {
	return &cvv1.SkillGroup{Category: g.Category, Items: g.Items}
}

func highlightFromProto(h *cvv1.Highlight) cv.Highlight {
	return cv.Highlight{ID: h.GetId(), Title: h.GetTitle(), Description: h.GetDesc()}
}

func highlightToProto(h cv.Highlight) *cvv1.Highlight {
	out := &cvv1.Highlight{Title: h.Title, Desc: h.Description}
	if h.ID != "" {
		out.Id = &h.ID
	}
	return out
}

func experienceFromProto(e *cvv1.Experience) cv.Experience {
	return cv.Experience{
		ID:             e.GetId(),
		Title:          e.GetTitle(),
		Company:        e.GetCompany(),
		Location:       e.GetLocation().GetValue(),
		LocationType:   e.GetLocationType().GetValue(),
		EmploymentType: e.GetEmploymentType().GetValue(),
		StartDate:      e.GetStartDate().GetValue(),
		EndDate:        e.GetEndDate().GetValue(),
		Current:        e.GetCurrent(),
		Overview:       e.GetOverview().GetValue(),
		Bullets:        e.GetBullets(),
	}
}

func experienceToProto(e cv.Experience) *cvv1.Experience {
	return &cvv1.Experience{
		Id:             e.ID,
		Title:          e.Title,
		Company:        e.Company,
		Location:       null(e.Location),
		LocationType:   null(e.LocationType),
		EmploymentType: null(e.EmploymentType),
		StartDate:      null(e.StartDate),
		EndDate:        null(e.EndDate),
		Current:        e.Current,
		Overview:       null(e.Overview),
		Bullets:        e.Bullets,
	}
}

func educationFromProto(e *cvv1.Education) cv.Education {
	return cv.Education{
		ID:           e.GetId(),
		School:       e.GetSchool(),
		Degree:       e.GetDegree().GetValue(),
		FieldOfStudy: e.GetFieldOfStudy().GetValue(),
		StartDate:    e.GetStartDate().GetValue(),
		EndDate:      e.GetEndDate().GetValue(),
		Description:  e.GetDescription().GetValue(),
	}
}

func educationToProto(e cv.Education) *cvv1.Education {
	return &cvv1.Education{
		Id:           e.ID,
		School:       e.School,
		Degree:       null(e.Degree),
		FieldOfStudy: null(e.FieldOfStudy),
		StartDate:    null(e.StartDate),
		EndDate:      null(e.EndDate),
		Description:  null(e.Description),
	}
}

func certificationFromProto(c *cvv1.Certification) cv.Certification {
	return cv.Certification{
		ID:             c.GetId(),
		Name:           c.GetName(),
		Issuer:         c.GetIssuer(),
		IssueDate:      c.GetIssueDate().GetValue(),
		ExpirationDate: c.GetExpirationDate().GetValue(),
		CredentialURL:  c.GetCredentialUrl().GetValue(),
	}
}

func certificationToProto(c cv.Certification) *cvv1.Certification {
	return &cvv1.Certification{
		Id:             c.ID,
		Name:           c.Name,
		Issuer:         c.Issuer,
		IssueDate:      null(c.IssueDate),
		ExpirationDate: null(c.ExpirationDate),
		CredentialUrl:  null(c.CredentialURL),
	}
}

func projectFromProto(p *cvv1.Project) cv.Project {
	return cv.Project{
		ID:           p.GetId(),
		Title:        p.GetTitle(),
		Description:  p.GetDescription().GetValue(),
		Image:        p.GetImage().GetValue(),
		Link:         p.GetLink().GetValue(),
		Technologies: p.GetTechnologies(),
	}
}

func projectToProto(p cv.Project) *cvv1.Project {
	return &cvv1.Project{
		Id:           p.ID,
		Title:        p.Title,
		Description:  null(p.Description),
		Image:        null(p.Image),
		Link:         null(p.Link),
		Technologies: p.Technologies,
	}
}
