package cv

// Language of a CV.
type Language string

// The languages that CVs are laid out in.
const (
	English Language = "en"
	Arabic  Language = "ar"
)

// CV is one CV.
type CV struct {
	Language Language
	// Title names a CV beside the main one; "" for the main CV. It is not on the CV.
	Title string
	Name  string
	// Headline is the line under the name.
	Headline string
	Summary  string
	Bio      string
	Location string
	Email    string
	// PublicURL is the CV's public page.
	PublicURL string
	// ProfileURL is the person's public page.
	ProfileURL string
	// AvatarURL is the address of the photo. Only package photo fetches it.
	AvatarURL       string
	UAEPassVerified bool
	OpenToWork      bool
	// Socials are links by platform, and the phone number under "phone".
	Socials        map[string]string
	Skills         []string
	SkillGroups    []SkillGroup
	Languages      []string
	Highlights     []Highlight
	Experiences    []Experience
	Educations     []Education
	Certifications []Certification
	Projects       []Project
	Personal       Personal
}

// SkillGroup is skills under one category.
type SkillGroup struct {
	Category string
	Items    []string
}

// Highlight is one highlight.
type Highlight struct{ Title, Text string }

// Experience is one position. Dates are YYYY, YYYY-MM or YYYY-MM-DD.
type Experience struct {
	Title, Company, Location string
	// LocationType is for example "hybrid", EmploymentType "full_time".
	LocationType, EmploymentType string
	Start, End                   string
	Current                      bool
	Overview                     string
	Bullets                      []string
}

// Education is one education. Dates as in Experience.
type Education struct {
	School, Degree, Field, Start, End, Text string
}

// Certification is one certification. Dates as in Experience.
type Certification struct {
	Name, Issuer, Issued, Expires, URL string
}

// Project is one project.
type Project struct {
	Title, Text, Link string
	Technologies      []string
}

// Personal is private personal details; all empty when they are not shared.
type Personal struct {
	DateOfBirth, Gender, MaritalStatus, Nationality       string
	Residence, VisaResidency, NationalService, Dependents string
}
