package projection

import (
	"slices"
	"strings"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// seen has the permitted data, from which all output is built.
type seen struct {
	id, name, username, headline, locale string
	verified, openToWork, public         bool
	hasMainCv                            bool
	// These are empty unless permitted.
	email, photo, address, phone string
	details                      *profile.Details
	// cv has the sections of a shared CV; nil unless permitted.
	cv *Cv
	// location and socials are those of the profile, with or without a CV.
	location string
	socials  map[string]string
}

// see copies the permitted data: the phone number only with may.phone, the photo with
// may.photo, the email address with may.email, the full address and the personal details
// with may.private. Nothing that it does not copy is ever shown.
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
		out.cv = &Cv{ID: s.Cv.ID, Title: s.Cv.Title, UpdatedAt: s.Cv.UpdatedAt, Template: s.Cv.Template, Content: seeContent(s.Cv.Content, may, own)}
		out.cv.Content.Location = firstText(out.cv.Content.Location, s.Location)
	}
	if may.cv {
		out.location, out.socials = text(s.Location), seeSocials(s.Socials, may, own)
	}
	return out
}

// seeContent removes About and Interests, which a shared CV never shows, and contact details
// unless they are permitted. own is ownNumber of the profile's phone number.
func seeContent(c cv.Content, may permission, own string) cv.Content {
	projects := withFilled(c.Projects, func(p *cv.Project) *[]string { return &p.Technologies })
	return cv.Content{
		Summary:        text(c.Summary),
		Bio:            text(c.Bio),
		Location:       text(c.Location),
		Socials:        seeSocials(c.Socials, may, own),
		Languages:      cv.Filled(c.Languages),
		Skills:         c.Skills,
		SkillGroups:    withFilled(c.SkillGroups, func(g *cv.SkillGroup) *[]string { return &g.Items }),
		Highlights:     c.Highlights,
		Experiences:    withFilled(c.Experiences, func(e *cv.Experience) *[]string { return &e.Bullets }),
		Educations:     c.Educations,
		Certifications: seeLinks(c.Certifications, func(e *cv.Certification) []*string { return []*string{&e.CredentialURL} }, may, own),
		Projects:       seeLinks(projects, func(p *cv.Project) []*string { return []*string{&p.Image, &p.Link} }, may, own),
	}
}

// withFilled returns the items without the blank texts in their lists.
func withFilled[T any](items []T, texts func(*T) *[]string) []T {
	out := slices.Clone(items)
	for i := range out {
		list := texts(&out[i])
		*list = cv.Filled(*list)
	}
	return out
}

// seeDetails returns the personal details, nil if nothing is stored.
func seeDetails(d profile.Details) *profile.Details {
	for _, field := range []*string{
		&d.DateOfBirth, &d.Gender, &d.MaritalStatus, &d.Nationality,
		&d.Residence, &d.VisaResidency, &d.NationalService, &d.Dependents,
	} {
		*field = text(*field)
	}
	if d == (profile.Details{}) {
		return nil
	}
	return &d
}

// seeSocials removes blank links and, without may.phone, links that reveal a phone number. A
// number in a link needs the same permission as the phone number of the profile
// (behaviour: sharing#telephone-links).
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

// seeLinks removes links of entries that reveal a phone number, unless may.phone.
func seeLinks[T any](items []T, links func(*T) []*string, may permission, own string) []T {
	if may.phone {
		return items
	}
	out := slices.Clone(items)
	for i := range out {
		for _, link := range links(&out[i]) {
			*link = withoutNumber(*link, own)
		}
	}
	return out
}

// language detects the language from fields that every permission shows, so that a CV has
// the same language for every app (behaviour: sharing#language-of-a-cv).
func (s seen) language() string {
	var letters cv.Letters
	letters.Add(s.name, s.headline)
	letters.AddContent(s.cv.Content)
	return letters.Language()
}

// text returns s, or "", which means null, if s is blank.
func text(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// firstText returns the first text that is not blank.
func firstText(texts ...string) string {
	for _, s := range texts {
		if text(s) != "" {
			return s
		}
	}
	return ""
}
