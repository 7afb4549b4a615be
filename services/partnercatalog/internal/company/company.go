package company

import "time"

// Company is an employer's page. Empty strings mean that a field is not set.
type Company struct {
	// ID has the prefix "com_".
	ID string
	// AppID is the app that created the company. No other app manages it.
	AppID string
	// ExternalID is the app's own identifier.
	ExternalID string
	Name       string
	// Slug is the segment of the career page's URL. It never changes.
	Slug        string
	Tagline     string
	Description string
	// Location is the location of the head office.
	Location string
	Website  string
	Industry string
	// EmployeeCount is a size band, for example "51-200".
	EmployeeCount string
	// Founded is YYYY-MM-DD.
	Founded string
	Logo    string
	Banner  string
	Socials Socials
	// Published reports whether candidates see the career page.
	Published bool
	Verified  bool
	// CreatedAt and UpdatedAt are in whole milliseconds, the precision of API answers.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Platform is a social network, by its name in the .proto file.
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

// Platforms lists all platforms, in the order in which links are validated.
var Platforms = []Platform{LinkedIn, Instagram, YouTube, WhatsApp, TikTok, X, Facebook}

// Socials are links by platform. In a change, an empty link removes the existing one.
type Socials map[Platform]string
