//go:build !nobrowser

package app_test

import (
	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cv"
)

// projection returns a CV as the projection that callers send.
func projection(c cv.CV) *cvv1.SharedCv {
	d := &cvv1.CvDocument{
		Name: c.Name, Title: null(c.Headline), Summary: null(c.Summary), Bio: null(c.Bio), Location: null(c.Location),
		AvatarUrl: null(c.AvatarURL), ContactEmail: null(c.Email), PublicCvUrl: null(c.PublicURL),
		IsUaePassVerified: c.UAEPassVerified, OpenToWork: c.OpenToWork, Socials: c.Socials, Skills: c.Skills, Languages: c.Languages,
	}
	for _, g := range c.SkillGroups {
		d.SkillGroups = append(d.SkillGroups, &cvv1.SkillGroup{Category: g.Category, Items: g.Items})
	}
	for _, h := range c.Highlights {
		d.Highlights = append(d.Highlights, &cvv1.Highlight{Title: h.Title, Desc: h.Text})
	}
	for _, e := range c.Experiences {
		d.Experiences = append(d.Experiences, &cvv1.Experience{
			Title: e.Title, Company: e.Company, Location: null(e.Location), LocationType: null(e.LocationType),
			EmploymentType: null(e.EmploymentType), StartDate: null(e.Start), EndDate: null(e.End), Current: e.Current,
			Overview: null(e.Overview), Bullets: e.Bullets,
		})
	}
	for _, e := range c.Educations {
		d.Educations = append(d.Educations, &cvv1.Education{
			School: e.School, Degree: null(e.Degree), FieldOfStudy: null(e.Field),
			StartDate: null(e.Start), EndDate: null(e.End), Description: null(e.Text),
		})
	}
	for _, x := range c.Certifications {
		d.Certifications = append(d.Certifications, &cvv1.Certification{
			Name: x.Name, Issuer: x.Issuer, IssueDate: null(x.Issued), ExpirationDate: null(x.Expires), CredentialUrl: null(x.URL),
		})
	}
	for _, p := range c.Projects {
		d.Projects = append(d.Projects, &cvv1.Project{
			Title: p.Title, Description: null(p.Text), Link: null(p.Link), Technologies: p.Technologies,
		})
	}
	out := &cvv1.SharedCv{Id: "master", Title: "Main CV", IsMainCv: true, Language: string(c.Language), Document: d, PublicProfileUrl: null(c.ProfileURL)}
	if p := c.Personal; p != (cv.Personal{}) {
		out.PersonalDetails = &cvv1.PersonalDetails{
			DateOfBirth: null(p.DateOfBirth), Gender: null(p.Gender), MaritalStatus: null(p.MaritalStatus), Nationality: null(p.Nationality),
			Residence: null(p.Residence), VisaResidency: null(p.VisaResidency), NationalService: null(p.NationalService), Dependents: null(p.Dependents),
		}
	}
	return out
}

func null(s string) *wrapperspb.StringValue {
	if s == "" {
		return nil
	}
	return wrapperspb.String(s)
}
