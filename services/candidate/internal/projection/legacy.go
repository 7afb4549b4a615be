package projection

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitae.internal/services/candidate/internal/cv"
)

// LegacyProfile is a person as a consent of the legacy interface shows them
// (behaviour: legacy#legacy-profile). Empty text and the year 0 stand for a field that is left out.
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

// LegacyExperience is a position held.
type LegacyExperience struct {
	Title, Company, Location string
	// StartDate and EndDate are YYYY, YYYY-MM or YYYY-MM-DD.
	StartDate, EndDate string
	Current            bool
	Description        string
}

// LegacyEducation is a school attended.
type LegacyEducation struct {
	Degree, Institution, Field string
	GraduationYear             int32
}

// LegacyCertification is a certificate and the year of its issue.
type LegacyCertification struct {
	Name, Issuer string
	Year         int32
}

// LegacySocials are the links that the legacy interface has.
type LegacySocials struct{ LinkedIn, GitHub, Portfolio string }

// ShareLegacy gives the person of s, read with the main CV, as the grant shows them.
//
// Location is the city and country, never the full address: the legacy interface has one
// line for it, and a person who allows an app to see a "location" does not expect to
// give away where they live (behaviour: legacy#location-is-city-and-country).
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

// legacyExperience joins the overview and the achievements of a position to one text.
func legacyExperience(e cv.Experience) LegacyExperience {
	return LegacyExperience{
		Title: e.Title, Company: e.Company, Location: text(e.Location),
		StartDate: e.StartDate, EndDate: e.EndDate, Current: e.Current,
		Description: strings.Join(cv.Filled(append([]string{e.Overview}, e.Bullets...)), "\n"),
	}
}

// legacySocials picks the links that the legacy interface has, in any case of their
// platforms.
func legacySocials(links map[string]string) LegacySocials {
	byPlatform := make(map[string]string, len(links))
	for _, platform := range slices.Sorted(maps.Keys(links)) { // so that of two cases the same one is picked each time
		byPlatform[strings.ToLower(strings.TrimSpace(platform))] = links[platform]
	}
	return LegacySocials{
		LinkedIn:  byPlatform["linkedin"],
		GitHub:    byPlatform["github"],
		Portfolio: firstText(byPlatform["portfolio"], byPlatform["website"]),
	}
}

// yearOf gives the year of a date of any precision, 0 if there is none.
func yearOf(date string) int32 {
	digits, _, _ := strings.Cut(date, "-")
	year, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0
	}
	return int32(year)
}
