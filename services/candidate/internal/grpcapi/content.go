package grpcapi

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/cv"
)

// contentFromProto converts through JSON, in which the message and cv.Content have the same names.
// Reads, which are frequent, convert field by field.
func contentFromProto(m *candidatev1.CvContent) (c cv.Content) {
	raw, err := protojson.Marshal(m)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil {
		panic(fmt.Sprintf("grpcapi: content: %v", err)) // a decoded message is valid UTF-8
	}
	return c
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

func skillGroupToProto(g cv.SkillGroup) *cvv1.SkillGroup {
	return &cvv1.SkillGroup{Category: g.Category, Items: g.Items}
}

func highlightToProto(h cv.Highlight) *cvv1.Highlight {
	out := &cvv1.Highlight{Title: h.Title, Desc: h.Description}
	if h.ID != "" {
		out.Id = &h.ID
	}
	return out
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
