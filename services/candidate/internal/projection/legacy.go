package projection

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/cv"
)

// ShareLegacy returns the profile for the legacy interface, restricted to what the grant permits
// (behaviour: legacy#legacy-profile). The CV in s must be the main CV. Unset fields are omitted.
//
// Location is the city and country, never the full address: people who share their "location" with an app do
// not expect to reveal where they live (behaviour: legacy#location).
func ShareLegacy(s Source, g Grant) *candidatev1.LegacyProfile {
	visible := see(s, g.legacyPermission())
	out := &candidatev1.LegacyProfile{
		Name: optional(text(visible.name)), Email: optional(visible.email), PhoneNumber: optional(visible.phone), Location: optional(visible.location),
		Headline: optional(visible.headline), ProfilePicture: optional(visible.photo), SocialLinks: legacySocials(visible.socials),
	}
	d := visible.document
	if d == nil {
		return out
	}
	out.CvUrl, out.Skills, out.Languages = optional(g.PdfURL), d.GetSkills(), d.GetLanguages()
	out.Experience = mapped(d.GetExperiences(), legacyExperience)
	out.Education = mapped(d.GetEducations(), func(e *cv.Education) *candidatev1.LegacyEducation {
		return &candidatev1.LegacyEducation{
			Degree: optional(e.GetDegree().GetValue()), Institution: e.GetSchool(), Field: optional(e.GetFieldOfStudy().GetValue()),
			GraduationYear: yearOf(e.GetEndDate().GetValue()),
		}
	})
	out.Certifications = mapped(d.GetCertifications(), func(e *cv.Certification) *candidatev1.LegacyCertification {
		return &candidatev1.LegacyCertification{Name: e.GetName(), Issuer: e.GetIssuer(), Year: yearOf(e.GetIssueDate().GetValue())}
	})
	return out
}

// legacyExperience joins the overview and the achievements of a position into a single text.
func legacyExperience(e *cv.Experience) *candidatev1.LegacyExperience {
	return &candidatev1.LegacyExperience{
		Title: e.GetTitle(), Company: e.GetCompany(), Location: optional(e.GetLocation().GetValue()),
		StartDate: optional(e.GetStartDate().GetValue()), EndDate: optional(e.GetEndDate().GetValue()), Current: e.GetCurrent(),
		Description: optional(strings.Join(cv.Filled(append([]string{e.GetOverview().GetValue()}, e.GetBullets()...)), "\n")),
	}
}

// legacySocials returns the links for the legacy interface, or nil if there are none. It matches platform
// names without regard to case.
func legacySocials(links map[string]string) *candidatev1.LegacySocialLinks {
	byPlatform := make(map[string]string, len(links))
	for _, platform := range slices.Sorted(maps.Keys(links)) { // for a deterministic choice between spellings
		byPlatform[strings.ToLower(strings.TrimSpace(platform))] = links[platform]
	}
	linkedin, github := byPlatform["linkedin"], byPlatform["github"]
	portfolio := cmp.Or(text(byPlatform["portfolio"]), text(byPlatform["website"]))
	if linkedin == "" && github == "" && portfolio == "" {
		return nil
	}
	return &candidatev1.LegacySocialLinks{Linkedin: optional(linkedin), Github: optional(github), Portfolio: optional(portfolio)}
}

// yearOf returns the year of a date of any precision, or nil if there is none.
func yearOf(date string) *int32 {
	digits, _, _ := strings.Cut(date, "-")
	year, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return nil
	}
	return optional(int32(year))
}
