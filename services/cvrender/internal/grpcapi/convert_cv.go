package grpcapi

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/pasted"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cv"
)

// titleOf returns the title of a CV other than the main one.
func titleOf(m *cvv1.SharedCv) string {
	if m.GetIsMainCv() {
		return ""
	}
	return m.GetTitle()
}

// CVFromProto returns the CV of a projection, in English if its language is unknown. It also cleans
// texts, because internal teams store them uncleaned.
func CVFromProto(m *cvv1.SharedCv) cv.CV {
	m = proto.CloneOf(m)
	clean(m.ProtoReflect())
	d := m.GetDocument()
	out := cv.CV{
		Language:        cv.English,
		Title:           titleOf(m),
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

// clean cleans all texts of a message and its submessages.
func clean(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, text protoreflect.Value) bool {
				v.Map().Set(k, protoreflect.ValueOfString(pasted.Line(text.String())))
				return true
			})
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				clean(v.List().Get(i).Message())
			}
		case f.IsList() && f.Kind() == protoreflect.StringKind:
			for i := range v.List().Len() {
				v.List().Set(i, protoreflect.ValueOfString(pasted.Text(v.List().Get(i).String())))
			}
		case f.Message() != nil:
			clean(v.Message())
		case f.Kind() == protoreflect.StringKind:
			m.Set(f, protoreflect.ValueOfString(pasted.Text(v.String())))
		}
		return true
	})
}

// text returns the value of a nullable string, empty for null.
func text(v *wrapperspb.StringValue) string { return v.GetValue() }
