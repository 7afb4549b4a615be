package cv

// Language of a CV.
type Language string

// The languages of CVs.
const (
	English Language = "en"
	Arabic  Language = "ar"
)

type CV struct {
	Language Language
	// Title names a CV other than the main one; empty for the main CV. The document does not show
	// it.
	Title string
	Name  string
	// Headline is the line below the name.
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

// SkillGroup has the skills of one category.
type SkillGroup struct {
	Category string
	Items    []string
}

type Highlight struct{ Title, Text string }

// Experience is a position. Dates are YYYY, YYYY-MM or YYYY-MM-DD.
type Experience struct {
	Title, Company, Location string
	// LocationType is, for example, "hybrid", and EmploymentType "full_time".
	LocationType, EmploymentType string
	Start, End                   string
	Current                      bool
	Overview                     string
	Bullets                      []string
}

// Education has dates as in Experience.
type Education struct {
	School, Degree, Field, Start, End, Text string
}

// Certification has dates as in Experience.
type Certification struct {
	Name, Issuer, Issued, Expires, URL string
}

type Project struct {
	Title, Text, Link string
	Technologies      []string
}

// Personal has the private personal details; empty unless they are shared.
type Personal struct {
	DateOfBirth, Gender, MaritalStatus, Nationality       string
	Residence, VisaResidency, NationalService, Dependents string
}
