package projection

import (
	"net/url"
	"slices"
	"strings"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// seen is what a permission lets through. Everything that is shown is made of it.
type seen struct {
	id, name, username, headline, locale string
	verified, openToWork, public         bool
	hasMainCv                            bool
	// Empty unless permitted.
	email, photo, address, phone string
	details                      *profile.Details
	// The CV, with the sections that a shared CV shows; nil unless permitted.
	cv *Cv
	// What the profile says beside a CV, or without one.
	location string
	socials  map[string]string
}

// see is the gate: what it does not copy, nobody sees.
func see(s Source, may permission) seen {
	p := s.Person
	out := seen{
		id: p.ID, name: p.Name, username: p.Username, headline: text(p.Headline), locale: text(p.Locale),
		verified: p.UAEPassVerified, openToWork: p.OpenToWork, public: p.Public, hasMainCv: p.HasMainCv,
	}
	if may.email && p.EmailVerified {
		out.email = p.Email
	}
	if may.photo {
		out.photo = text(p.AvatarURL)
	}
	if may.phone {
		out.phone = text(p.Phone)
	}
	if may.private {
		out.address = text(p.Address)
		out.details = seeDetails(p.Details)
	}
	if may.cv && s.Cv != nil {
		out.cv = &Cv{ID: s.Cv.ID, Title: s.Cv.Title, UpdatedAt: s.Cv.UpdatedAt, Content: seeContent(s.Cv.Content, may)}
		out.cv.Content.Location = firstText(out.cv.Content.Location, s.Location)
	}
	if may.cv {
		out.location, out.socials = text(s.Location), seeSocials(s.Socials, may)
	}
	return out
}

// seeContent leaves out what a shared CV does not show at all (About and
// Interests), and contact details unless permitted.
func seeContent(c cv.Content, may permission) cv.Content {
	return cv.Content{
		Summary:        text(c.Summary),
		Bio:            text(c.Bio),
		Location:       text(c.Location),
		Socials:        seeSocials(c.Socials, may),
		Languages:      cv.Filled(c.Languages),
		Skills:         c.Skills,
		SkillGroups:    withFilled(c.SkillGroups, func(g *cv.SkillGroup) *[]string { return &g.Items }),
		Highlights:     c.Highlights,
		Experiences:    withFilled(c.Experiences, func(e *cv.Experience) *[]string { return &e.Bullets }),
		Educations:     c.Educations,
		Certifications: c.Certifications,
		Projects:       withFilled(c.Projects, func(p *cv.Project) *[]string { return &p.Technologies }),
	}
}

// withFilled gives items whose list of texts has no blank ones.
func withFilled[T any](items []T, texts func(*T) *[]string) []T {
	out := slices.Clone(items)
	for i := range out {
		list := texts(&out[i])
		*list = cv.Filled(*list)
	}
	return out
}

// seeDetails gives nil when nothing is stored.
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

// phoneKey is where socials carry the phone number (spec: Shared CV, socials).
const phoneKey = "phone"

// seeSocials drops blank links, and without permission those that tell a phone
// number. A number that was kept as a link is never more visible than the
// profile's own.
func seeSocials(stored map[string]string, may permission) map[string]string {
	out := make(map[string]string, len(stored)+1)
	for platform, link := range stored {
		switch key := strings.ToLower(strings.TrimSpace(platform)); {
		case text(link) == "":
		case !tellsPhone(key, link):
			out[platform] = link
		case !may.phone:
		case key == phoneKey:
			out[phoneKey] = link
		default:
			out[platform] = link
		}
	}
	return out
}

// phonePlatforms are the platforms whose links are phone numbers.
var phonePlatforms = map[string]bool{
	phoneKey: true, "tel": true, "telephone": true, "mobile": true, "cell": true, "cellphone": true,
	"whatsapp": true, "signal": true, "viber": true,
}

// phoneHosts are hosts whose links are phone numbers, whatever their platform is
// called.
var phoneHosts = []string{"wa.me", "whatsapp.com", "signal.me", "viber.com"}

func tellsPhone(platform, link string) bool {
	if phonePlatforms[platform] {
		return true
	}
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return true // not a link that can be told apart from a number
	}
	host := strings.ToLower(u.Hostname())
	for _, phoneHost := range phoneHosts {
		if host == phoneHost || strings.HasSuffix(host, "."+phoneHost) {
			return true
		}
	}
	return false
}

// language is detected from what is shown whatever the permission, so that the
// same CV has the same language for every app.
func (s seen) language() string {
	var letters cv.Letters
	letters.Add(s.name, s.headline)
	letters.AddContent(s.cv.Content)
	return letters.Language()
}

// text is s, or empty, which stands for null, when it is blank.
func text(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// firstText is the first of texts that is not blank.
func firstText(texts ...string) string {
	for _, s := range texts {
		if text(s) != "" {
			return s
		}
	}
	return ""
}
