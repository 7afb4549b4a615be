package company

import "time"

// Company is an employer's page. An empty string means that a field is not set.
type Company struct {
	// ID has the prefix "com_".
	ID string
	// AppID is the app that created the company. No other app can manage it.
	AppID string
	// ExternalID is the app's own identifier for the company.
	ExternalID string
	Name       string
	// Slug is the company's segment in the URL of its career page. It never changes.
	Slug        string
	Tagline     string
	Description string
	// Location is the location of the head office.
	Location string
	Website  string
	Industry string
	// EmployeeCount is a size band, for example "51-200".
	EmployeeCount string
	// Founded is a date in the form YYYY-MM-DD.
	Founded string
	Logo    string
	Banner  string
	Socials Socials
	// Published reports whether candidates can see the career page.
	Published bool
	Verified  bool
	// CreatedAt and UpdatedAt are in whole milliseconds, the precision of API responses.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Platform is the name of a social network, as in the .proto file.
type Platform string

const (
	LinkedIn  Platform = "linkedin"
	Instagram Platform = "instagram"
	YouTube   Platform = "youtube"
	WhatsApp  Platform = "whatsapp"
	TikTok    Platform = "tiktok"
	X         Platform = "x"
	Facebook  Platform = "facebook"
)

// Platforms lists all platforms, in the order in which their links are validated.
var Platforms = []Platform{LinkedIn, Instagram, YouTube, WhatsApp, TikTok, X, Facebook}

// Socials maps platforms to links. In a change, an empty link removes the existing one.
type Socials map[Platform]string
