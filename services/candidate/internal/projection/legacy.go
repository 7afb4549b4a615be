package projection

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/message"
)

// ShareLegacy returns the profile for the legacy interface, restricted to what the grant permits
// (behaviour: legacy#legacy-profile). The CV in s must be the main CV. Unset fields are omitted.
//
// Location is the city and country, never the full address: people who share their "location" with an app do
// not expect to reveal where they live (behaviour: legacy#location).
func ShareLegacy(s Source, g Grant) *candidatev1.LegacyProfile {
	visible := see(s, g.legacyPermission())
	out := &candidatev1.LegacyProfile{
		Name: message.Optional(text(visible.name)), Email: message.Optional(visible.email), PhoneNumber: message.Optional(visible.phone), Location: message.Optional(visible.location),
		Headline: message.Optional(visible.headline), ProfilePicture: message.Optional(visible.photo), SocialLinks: legacySocials(visible.socials),
	}
	d := visible.document
	if d == nil {
		return out
	}
	out.CvUrl, out.Skills, out.Languages = message.Optional(g.PdfURL), d.GetSkills(), d.GetLanguages()
	out.Experience = message.List(d.GetExperiences(), legacyExperience)
	out.Education = message.List(d.GetEducations(), func(e *cv.Education) *candidatev1.LegacyEducation {
		return &candidatev1.LegacyEducation{
			Degree: message.Optional(e.GetDegree().GetValue()), Institution: e.GetSchool(), Field: message.Optional(e.GetFieldOfStudy().GetValue()),
			GraduationYear: yearOf(e.GetEndDate().GetValue()),
		}
	})
	out.Certifications = message.List(d.GetCertifications(), func(e *cv.Certification) *candidatev1.LegacyCertification {
		return &candidatev1.LegacyCertification{Name: e.GetName(), Issuer: e.GetIssuer(), Year: yearOf(e.GetIssueDate().GetValue())}
	})
	return out
}

// legacyExperience combines the overview and the achievements of a position into a single text.
func legacyExperience(e *cv.Experience) *candidatev1.LegacyExperience {
	return &candidatev1.LegacyExperience{
		Title: e.GetTitle(), Company: e.GetCompany(), Location: message.Optional(e.GetLocation().GetValue()),
		StartDate: message.Optional(e.GetStartDate().GetValue()), EndDate: message.Optional(e.GetEndDate().GetValue()), Current: e.GetCurrent(),
		Description: message.Optional(strings.Join(cv.Filled(append([]string{e.GetOverview().GetValue()}, e.GetBullets()...)), "\n")),
	}
}

// legacySocials returns the links for the legacy interface, or nil if there are none. It matches platform
// names case-insensitively.
func legacySocials(links map[string]string) *candidatev1.LegacySocialLinks {
	byPlatform := make(map[string]string, len(links))
	for _, platform := range slices.Sorted(maps.Keys(links)) { // makes the choice between spellings deterministic
		byPlatform[strings.ToLower(strings.TrimSpace(platform))] = links[platform]
	}
	linkedin, github := byPlatform["linkedin"], byPlatform["github"]
	portfolio := cmp.Or(text(byPlatform["portfolio"]), text(byPlatform["website"]))
	if linkedin == "" && github == "" && portfolio == "" {
		return nil
	}
	return &candidatev1.LegacySocialLinks{Linkedin: message.Optional(linkedin), Github: message.Optional(github), Portfolio: message.Optional(portfolio)}
}

// yearOf returns the year from a date of any precision, or nil if there is none.
func yearOf(date string) *int32 {
	digits, _, _ := strings.Cut(date, "-")
	year, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return nil
	}
	return message.Optional(int32(year))
}
