package grpcapi

import (
	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cv"
)

// CVFromProto gives the CV of a projection. An unknown language is laid out as English.
func CVFromProto(m *cvv1.SharedCv) cv.CV {
	d := m.GetDocument()
	out := cv.CV{
		Language:        cv.English,
		Name:            d.GetName(),
		Headline:        text(d.GetTitle()),
		Summary:         text(d.GetSummary()),
		Bio:             text(d.GetBio()),
		Location:        text(d.GetLocation()),
		Email:           text(d.GetContactEmail()),
		PublicURL:       text(d.GetPublicCvUrl()),
		ProfileURL:      text(m.GetPublicProfileUrl()),
		AvatarURL:       text(d.GetAvatarUrl()),
		UAEPassVerified: d.GetIsUaePassVerified(),
		OpenToWork:      d.GetOpenToWork(),
		Socials:         d.GetSocials(),
		Skills:          d.GetSkills(),
		Languages:       d.GetLanguages(),
		Personal:        personalFromProto(m.GetPersonalDetails()),
	}
	if m.GetLanguage() == string(cv.Arabic) {
		out.Language = cv.Arabic
	}
	for _, g := range d.GetSkillGroups() {
		out.SkillGroups = append(out.SkillGroups, cv.SkillGroup{Category: g.GetCategory(), Items: g.GetItems()})
	}
	for _, h := range d.GetHighlights() {
		out.Highlights = append(out.Highlights, cv.Highlight{Title: h.GetTitle(), Text: h.GetDesc()})
	}
	for _, e := range d.GetExperiences() {
		out.Experiences = append(out.Experiences, cv.Experience{
			Title: e.GetTitle(), Company: e.GetCompany(), Location: text(e.GetLocation()),
			LocationType: text(e.GetLocationType()), EmploymentType: text(e.GetEmploymentType()),
			Start: text(e.GetStartDate()), End: text(e.GetEndDate()), Current: e.GetCurrent(),
			Overview: text(e.GetOverview()), Bullets: e.GetBullets(),
		})
	}
	for _, e := range d.GetEducations() {
		out.Educations = append(out.Educations, cv.Education{
			School: e.GetSchool(), Degree: text(e.GetDegree()), Field: text(e.GetFieldOfStudy()),
			Start: text(e.GetStartDate()), End: text(e.GetEndDate()), Text: text(e.GetDescription()),
		})
	}
	for _, c := range d.GetCertifications() {
		out.Certifications = append(out.Certifications, cv.Certification{
			Name: c.GetName(), Issuer: c.GetIssuer(), Issued: text(c.GetIssueDate()),
			Expires: text(c.GetExpirationDate()), URL: text(c.GetCredentialUrl()),
		})
	}
	for _, p := range d.GetProjects() {
		out.Projects = append(out.Projects, cv.Project{
			Title: p.GetTitle(), Text: text(p.GetDescription()), Link: text(p.GetLink()), Technologies: p.GetTechnologies(),
		})
	}
	return out
}

func personalFromProto(p *cvv1.PersonalDetails) cv.Personal {
	return cv.Personal{
		DateOfBirth:     text(p.GetDateOfBirth()),
		Gender:          text(p.GetGender()),
		MaritalStatus:   text(p.GetMaritalStatus()),
		Nationality:     text(p.GetNationality()),
		Residence:       text(p.GetResidence()),
		VisaResidency:   text(p.GetVisaResidency()),
		NationalService: text(p.GetNationalService()),
		Dependents:      text(p.GetDependents()),
	}
}

// text gives the value of a nullable string, "" for null.
func text(v *wrapperspb.StringValue) string { return v.GetValue() }
