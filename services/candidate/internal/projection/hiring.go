package projection

import (
	"slices"

	"vitae.internal/services/candidate/internal/cv"
)

// HiringProfile is the profile of an applicant for employers
// (behaviour: applications#application-detail). It has About and Interests, which a shared CV
// omits, and no contact details. Empty text means null.
type HiringProfile struct {
	Bio            string
	About          string
	Skills         []string
	Interests      []string
	Experiences    []cv.Experience
	Educations     []cv.Education
	Certifications []cv.Certification
	Highlights     []cv.Highlight
	Projects       []cv.Project
}

// ShowProfile returns the profile for employers.
func ShowProfile(stored cv.Content) HiringProfile {
	c := seeContent(stored, permission{cv: true}, "")
	return HiringProfile{
		Bio:            c.Bio,
		About:          text(stored.About),
		Skills:         c.FlatSkills(),
		Interests:      cv.Filled(stored.Interests),
		Experiences:    experiences(c),
		Educations:     c.EducationsByRecency(),
		Certifications: c.Certifications,
		Highlights:     c.Highlights,
		Projects:       c.Projects,
	}
}

// HiringCv is a CV for employers: its sections, without location, links and personal
// details (behaviour: applications#cv-document-summary, applications#sections).
type HiringCv struct {
	// Summary paragraph; empty for none.
	Summary string
	// Sections that have items, in the order of the Shared CV.
	Sections []Section
}

// Section is a part of a CV (behaviour: applications#sections).
type Section struct {
	// Kind is the key of the section in the Shared CV's document.
	Kind string
	// Title in the language of the CV.
	Title string
	// Items: string, cv.SkillGroup, cv.Highlight, cv.Experience, cv.Education,
	// cv.Certification or cv.Project, all of one type.
	Items []any
}

// titles are the section titles by language, the same as in the PDF.
var titles = map[string]map[string]string{
	cv.English: {
		"skills": "Skills", "skillGroups": "Skills by category", "languages": "Languages", "highlights": "Highlights",
		"experiences": "Experience", "educations": "Education", "certifications": "Certifications", "projects": "Projects",
	},
	cv.Arabic: {
		"skills": "المهارات", "skillGroups": "المهارات حسب الفئة", "languages": "اللغات", "highlights": "أبرز الإنجازات",
		"experiences": "الخبرات", "educations": "التعليم", "certifications": "الشهادات المهنية", "projects": "المشاريع",
	},
}

// ShowCv returns the CV for employers.
func ShowCv(stored cv.Content) HiringCv {
	c := seeContent(stored, permission{cv: true}, "")
	words := titles[language(c)]
	out := HiringCv{Summary: c.Summary}
	for _, section := range []Section{
		{Kind: "skills", Items: items(c.FlatSkills())},
		{Kind: "skillGroups", Items: items(c.SkillGroups)},
		{Kind: "languages", Items: items(c.Languages)},
		{Kind: "highlights", Items: items(c.Highlights)},
		{Kind: "experiences", Items: items(experiences(c))},
		{Kind: "educations", Items: items(c.EducationsByRecency())},
		{Kind: "certifications", Items: items(c.Certifications)},
		{Kind: "projects", Items: items(c.Projects)},
	} {
		if len(section.Items) > 0 {
			section.Title = words[section.Kind]
			out.Sections = append(out.Sections, section)
		}
	}
	return out
}

func language(c cv.Content) string {
	var letters cv.Letters
	letters.AddContent(c)
	return letters.Language()
}

func items[T any](list []T) []any {
	out := slices.Grow([]any(nil), len(list))
	for _, item := range list {
		out = append(out, item)
	}
	return out
}
