package projection

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitae.internal/services/candidate/internal/cv"
)

// LegacyProfile is the profile at the legacy interface (behaviour: legacy#legacy-profile).
// Empty text and the year 0 mean that a field is omitted.
type LegacyProfile struct {
	Name           string
	Email          string
	PhoneNumber    string
	Location       string
	Headline       string
	CvURL          string
	ProfilePicture string
	Skills         []string
	Experience     []LegacyExperience
	Education      []LegacyEducation
	Certifications []LegacyCertification
	Languages      []string
	Socials        LegacySocials
}

// LegacyExperience is a position.
type LegacyExperience struct {
	Title, Company, Location string
	// StartDate and EndDate are YYYY, YYYY-MM or YYYY-MM-DD.
	StartDate, EndDate string
	Current            bool
	Description        string
}

// LegacyEducation is an education.
type LegacyEducation struct {
	Degree, Institution, Field string
	GraduationYear             int32
}

// LegacyCertification is a certification and the year of its issue.
type LegacyCertification struct {
	Name, Issuer string
	Year         int32
}

// LegacySocials are the links at the legacy interface.
type LegacySocials struct{ LinkedIn, GitHub, Portfolio string }

// ShareLegacy returns the profile of s, which must have the main CV, as the grant permits.
//
// Location is the city and country, never the full address: a person who allows an app to
// see a "location" does not expect to reveal where they live
// (behaviour: legacy#location).
func ShareLegacy(s Source, g Grant) LegacyProfile {
	visible := see(s, g.legacyPermission())
	out := LegacyProfile{
		Name: text(visible.name), Email: visible.email, PhoneNumber: visible.phone, Location: visible.location,
		Headline: visible.headline, ProfilePicture: visible.photo, Socials: legacySocials(visible.socials),
	}
	if visible.cv == nil {
		return out
	}
	c := visible.cv.Content
	out.CvURL, out.Skills, out.Languages = g.PdfURL, c.FlatSkills(), c.Languages
	for _, e := range experiences(c) {
		out.Experience = append(out.Experience, legacyExperience(e))
	}
	for _, e := range c.EducationsByRecency() {
		out.Education = append(out.Education, LegacyEducation{
			Degree: text(e.Degree), Institution: e.School, Field: text(e.FieldOfStudy), GraduationYear: yearOf(e.EndDate),
		})
	}
	for _, e := range c.Certifications {
		out.Certifications = append(out.Certifications, LegacyCertification{Name: e.Name, Issuer: e.Issuer, Year: yearOf(e.IssueDate)})
	}
	return out
}

// legacyExperience joins the overview and the achievements of a position into one text.
func legacyExperience(e cv.Experience) LegacyExperience {
	return LegacyExperience{
		Title: e.Title, Company: e.Company, Location: text(e.Location),
		StartDate: e.StartDate, EndDate: e.EndDate, Current: e.Current,
		Description: strings.Join(cv.Filled(append([]string{e.Overview}, e.Bullets...)), "\n"),
	}
}

// legacySocials returns the links of the legacy interface. Platform names match in any case.
func legacySocials(links map[string]string) LegacySocials {
	byPlatform := make(map[string]string, len(links))
	for _, platform := range slices.Sorted(maps.Keys(links)) { // for a deterministic choice between spellings
		byPlatform[strings.ToLower(strings.TrimSpace(platform))] = links[platform]
	}
	return LegacySocials{
		LinkedIn:  byPlatform["linkedin"],
		GitHub:    byPlatform["github"],
		Portfolio: firstText(byPlatform["portfolio"], byPlatform["website"]),
	}
}

// yearOf returns the year of a date of any precision, 0 for none.
func yearOf(date string) int32 {
	digits, _, _ := strings.Cut(date, "-")
	year, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0
	}
	return int32(year)
}
