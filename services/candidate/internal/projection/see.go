package projection

import (
	"strings"

	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/message"
	"vitae.internal/services/candidate/internal/profile"
)

// seen holds the permitted data. All output is built from it.
type seen struct {
	id, name, username, headline, locale string
	verified, openToWork, public         bool
	hasMainCv                            bool
	// These fields are empty unless permitted.
	email, photo, address, phone string
	details                      *cvv1.PersonalDetails
	// cv is the CV without its content, and document holds its sections. Both are nil unless permitted.
	cv       *Cv
	document *cvv1.CvDocument
	// location and socials come from the profile, whether or not there is a CV.
	location string
	socials  map[string]string
}

// see copies the permitted data. It copies the phone number only with may.phone, the photo only with
// may.photo, the email address only with may.email, and the full address and personal details only with
// may.private. Nothing else is ever shown.
func see(s Source, may permission) seen {
	p := s.Person
	out := seen{
		id: p.ID, name: p.Name, username: p.Username, headline: text(p.Headline), locale: text(p.Locale),
		verified: p.UAEPassVerified, openToWork: p.OpenToWork, public: p.Public, hasMainCv: p.HasMainCv,
	}
	if may.email && p.EmailVerified {
		out.email = p.Email
	}
	if may.photo && text(p.AvatarURL) != "" {
		out.photo = may.photoURL
		if may.ownPhoto {
			out.photo = p.AvatarURL
		}
	}
	if may.phone {
		out.phone = text(p.Phone)
	}
	if may.private {
		out.address = text(p.Address)
		out.details = seeDetails(p.Details)
	}
	own := ownNumber(p.Phone)
	if may.cv && s.Cv != nil {
		out.cv = &Cv{ID: s.Cv.ID, Title: s.Cv.Title, UpdatedAt: s.Cv.UpdatedAt, Template: s.Cv.Template}
		out.document = seeContent(s.Cv.Content, may, own)
		if out.document.Location == nil {
			out.document.Location = message.Text(s.Location)
		}
	}
	if may.cv {
		out.location, out.socials = text(s.Location), seeSocials(s.Socials, may, own)
	}
	return out
}

// seeContent returns the sections of a shared CV in display order. It includes contact details only if they
// are permitted. own is the result of ownNumber for the profile's phone number.
func seeContent(c *cv.Content, may permission, own string) *cvv1.CvDocument {
	link := func(address *wrapperspb.StringValue) *wrapperspb.StringValue {
		if may.phone {
			return given(address)
		}
		return message.Text(withoutNumber(address.GetValue(), own))
	}
	return &cvv1.CvDocument{
		Summary:     message.Text(c.GetSummary()),
		Bio:         message.Text(c.GetBio()),
		Location:    message.Text(c.GetLocation()),
		Socials:     seeSocials(c.GetSocials(), may, own),
		Languages:   cv.Filled(c.GetLanguages()),
		Skills:      cv.FlatSkills(c),
		SkillGroups: message.List(c.GetSkillGroups(), seeSkillGroup),
		Highlights:  message.List(c.GetHighlights(), seeHighlight),
		Experiences: message.List(cv.ExperiencesByRecency(c), seeExperience),
		Educations:  message.List(cv.EducationsByRecency(c), seeEducation),
		Certifications: message.List(c.GetCertifications(), func(e *cv.Certification) *cv.Certification {
			return &cv.Certification{
				Id: e.GetId(), Name: e.GetName(), Issuer: e.GetIssuer(), IssueDate: given(e.GetIssueDate()),
				ExpirationDate: given(e.GetExpirationDate()), CredentialUrl: link(e.GetCredentialUrl()),
			}
		}),
		Projects: message.List(c.GetProjects(), func(p *cv.Project) *cv.Project {
			return &cv.Project{
				Id: p.GetId(), Title: p.GetTitle(), Description: given(p.GetDescription()),
				Image: link(p.GetImage()), Link: link(p.GetLink()), Technologies: cv.Filled(p.GetTechnologies()),
			}
		}),
	}
}

func seeSkillGroup(g *cv.SkillGroup) *cv.SkillGroup {
	return &cv.SkillGroup{Category: g.GetCategory(), Items: cv.Filled(g.GetItems())}
}

func seeHighlight(h *cv.Highlight) *cv.Highlight {
	return &cv.Highlight{Id: message.Optional(h.GetId()), Title: h.GetTitle(), Desc: h.GetDesc()}
}

// seeExperience returns a position. It omits the end date of a current position, even if one is stored.
func seeExperience(e *cv.Experience) *cv.Experience {
	out := &cv.Experience{
		Id: e.GetId(), Title: e.GetTitle(), Company: e.GetCompany(), Location: given(e.GetLocation()),
		LocationType: given(e.GetLocationType()), EmploymentType: given(e.GetEmploymentType()),
		StartDate: given(e.GetStartDate()), EndDate: given(e.GetEndDate()), Current: e.GetCurrent(),
		Overview: given(e.GetOverview()), Bullets: cv.Filled(e.GetBullets()),
	}
	if out.Current {
		out.EndDate = nil
	}
	return out
}

func seeEducation(e *cv.Education) *cv.Education {
	return &cv.Education{
		Id: e.GetId(), School: e.GetSchool(), Degree: given(e.GetDegree()), FieldOfStudy: given(e.GetFieldOfStudy()),
		StartDate: given(e.GetStartDate()), EndDate: given(e.GetEndDate()), Description: given(e.GetDescription()),
	}
}

// seeDetails returns the personal details, or nil if none are stored.
func seeDetails(d *profile.Details) *profile.Details {
	out := &profile.Details{
		DateOfBirth: given(d.GetDateOfBirth()), Gender: given(d.GetGender()), MaritalStatus: given(d.GetMaritalStatus()),
		Nationality: given(d.GetNationality()), Residence: given(d.GetResidence()), VisaResidency: given(d.GetVisaResidency()),
		NationalService: given(d.GetNationalService()), Dependents: given(d.GetDependents()),
	}
	if profile.IsEmpty(out) {
		return nil
	}
	return out
}

// seeSocials removes blank links and, without may.phone, links that reveal a phone number. A number in a link
// requires the same permission as the profile's phone number (behaviour: sharing#telephone-links).
func seeSocials(stored map[string]string, may permission, own string) map[string]string {
	out := make(map[string]string, len(stored)+1)
	for platform, link := range stored {
		switch key := strings.ToLower(strings.TrimSpace(platform)); {
		case text(link) == "":
		case may.phone && key == phoneKey:
			out[phoneKey] = link
		case may.phone || !revealsPhone(key, link, own):
			out[platform] = link
		}
	}
	return out
}

// language detects the language only from fields that every permission shows, so a CV has the same language
// for every app (behaviour: sharing#language-of-a-cv).
func (s seen) language() string {
	var letters cv.Letters
	letters.Add(s.name, s.headline)
	letters.AddDocument(s.document)
	return letters.Language()
}

// text returns s, or "" (which stands for null) if s is blank.
func text(s string) string {
	if cv.IsBlank(s) {
		return ""
	}
	return s
}

// given returns s, or null if s is blank.
func given(s *wrapperspb.StringValue) *wrapperspb.StringValue {
	if cv.IsBlank(s.GetValue()) {
		return nil
	}
	return s
}
