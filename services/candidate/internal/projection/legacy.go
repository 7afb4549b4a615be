package projection

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitae.internal/services/candidate/internal/cv"
)

// LegacyProfile is a person as a consent of the older interface shows them (spec:
// Older profile-sharing interface). Empty text, and a year of 0, stand for what is
// left out.
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

// LegacySocials are the links that the older interface knows.
type LegacySocials struct{ LinkedIn, GitHub, Portfolio string }

// ShareLegacy gives the person of s, read with the main CV, as g shows them.
//
// Location is the city and country: the older interface shows one line for where
// somebody is, and a person who allows a "location" does not expect to give away
// the door that they live behind.
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

// legacyExperience has one text where a CV has an overview and achievements.
func legacyExperience(e cv.Experience) LegacyExperience {
	return LegacyExperience{
		Title: e.Title, Company: e.Company, Location: text(e.Location),
		StartDate: e.StartDate, EndDate: e.EndDate, Current: e.Current,
		Description: strings.Join(cv.Filled(append([]string{e.Overview}, e.Bullets...)), "\n"),
	}
}

// legacySocials picks the links that the older interface knows, whatever the case
// of their platforms.
func legacySocials(links map[string]string) LegacySocials {
	byPlatform := make(map[string]string, len(links))
	for _, platform := range slices.Sorted(maps.Keys(links)) { // of two cases always the same one
		byPlatform[strings.ToLower(strings.TrimSpace(platform))] = links[platform]
	}
	return LegacySocials{
		LinkedIn:  byPlatform["linkedin"],
		GitHub:    byPlatform["github"],
		Portfolio: firstText(byPlatform["portfolio"], byPlatform["website"]),
	}
}

// yearOf is the year of a date of any precision, 0 of none.
func yearOf(date string) int32 {
	digits, _, _ := strings.Cut(date, "-")
	year, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0
	}
	return int32(year)
}
