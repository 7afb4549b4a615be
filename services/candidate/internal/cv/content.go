package cv

import "strings"

// Content has the sections of a CV. Empty text means none. Items are in the order of input;
// ExperiencesByRecency and EducationsByRecency return the display order.
type Content struct {
	Summary string `json:"summary,omitempty"`
	// Bio is a short biography.
	Bio string `json:"bio,omitempty"`
	// About is shown to employers, not in a shared CV
	// (behaviour: applications#application-detail).
	About string `json:"about,omitempty"`
	// Location is city and country.
	Location string `json:"location,omitempty"`
	// Socials are links keyed by platform.
	Socials map[string]string `json:"socials,omitempty"`
	// Languages with proficiency, for example "Arabic (native)".
	Languages []string `json:"languages,omitempty"`
	// Skills without a category.
	Skills []string `json:"skills,omitempty"`
	// SkillGroups are skills by category.
	SkillGroups []SkillGroup `json:"skillGroups,omitempty"`
	// Interests are shown only to employers, like About.
	Interests      []string        `json:"interests,omitempty"`
	Highlights     []Highlight     `json:"highlights,omitempty"`
	Experiences    []Experience    `json:"experiences,omitempty"`
	Educations     []Education     `json:"educations,omitempty"`
	Certifications []Certification `json:"certifications,omitempty"`
	Projects       []Project       `json:"projects,omitempty"`
}

// SkillGroup is skills under one category.
type SkillGroup struct {
	Category string   `json:"category"`
	Items    []string `json:"items,omitempty"`
}

// Highlight is one achievement. Its id is optional.
type Highlight struct {
	ID          string `json:"id,omitempty"`
	Title       string `json:"title"`
	Description string `json:"desc,omitempty"`
}

// Experience is one position. Dates are YYYY, YYYY-MM or YYYY-MM-DD.
type Experience struct {
	ID             string   `json:"id"`
	Title          string   `json:"title"`
	Company        string   `json:"company"`
	Location       string   `json:"location,omitempty"`
	LocationType   string   `json:"locationType,omitempty"`
	EmploymentType string   `json:"employmentType,omitempty"`
	StartDate      string   `json:"startDate,omitempty"`
	EndDate        string   `json:"endDate,omitempty"`
	Current        bool     `json:"current,omitempty"`
	Overview       string   `json:"overview,omitempty"`
	Bullets        []string `json:"bullets,omitempty"`
}

// Education is one school. Dates as in Experience.
type Education struct {
	ID           string `json:"id"`
	School       string `json:"school"`
	Degree       string `json:"degree,omitempty"`
	FieldOfStudy string `json:"fieldOfStudy,omitempty"`
	StartDate    string `json:"startDate,omitempty"`
	EndDate      string `json:"endDate,omitempty"`
	Description  string `json:"description,omitempty"`
}

// Certification is one certificate. Dates as in Experience.
type Certification struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	Issuer         string `json:"issuer"`
	IssueDate      string `json:"issueDate,omitempty"`
	ExpirationDate string `json:"expirationDate,omitempty"`
	CredentialURL  string `json:"credentialUrl,omitempty"`
}

// Project is one piece of work.
type Project struct {
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Description  string   `json:"description,omitempty"`
	Image        string   `json:"image,omitempty"`
	Link         string   `json:"link,omitempty"`
	Technologies []string `json:"technologies,omitempty"`
}

// HasCV reports whether c is enough for a CV (behaviour: sharing#the-main-cv). A location, links,
// or texts that a shared CV does not show are not.
func (c Content) HasCV() bool {
	return !isBlank(c.Summary) || !isBlank(c.Bio) ||
		len(c.FlatSkills()) > 0 || len(Filled(c.Languages)) > 0 ||
		len(c.Highlights) > 0 || len(c.Experiences) > 0 || len(c.Educations) > 0 ||
		len(c.Certifications) > 0 || len(c.Projects) > 0
}

// FlatSkills returns the skills and those of the groups, in the order of first appearance,
// without duplicates in any case.
func (c Content) FlatSkills() []string {
	seen := map[string]bool{}
	var flat []string
	add := func(skills []string) {
		for _, s := range Filled(skills) {
			if key := strings.ToLower(strings.TrimSpace(s)); !seen[key] {
				seen[key] = true
				flat = append(flat, s)
			}
		}
	}
	add(c.Skills)
	for _, g := range c.SkillGroups {
		add(g.Items)
	}
	return flat
}

// Filled returns the texts of list that are not blank.
func Filled(list []string) []string {
	var filled []string
	for _, s := range list {
		if !isBlank(s) {
			filled = append(filled, s)
		}
	}
	return filled
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
