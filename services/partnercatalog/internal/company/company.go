package company

import "time"

// Company is an employer's page. Empty text means none.
type Company struct {
	// ID, prefixed "com_".
	ID string
	// AppID is the app that made the company. No other app manages it.
	AppID string
	// ExternalID is the app's own identifier.
	ExternalID string
	Name       string
	// Slug is the segment of the career page's URL. It never changes.
	Slug        string
	Tagline     string
	Description string
	// Location of the head office.
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
	// Published says whether candidates see the career page.
	Published bool
	// Verified says whether the employer was verified.
	Verified bool
	// CreatedAt and UpdatedAt are whole milliseconds, which is what answers show.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Platform is a site that a link leads to, by its name in the .proto.
type Platform string

// The platforms of a company's links.
const (
	LinkedIn  Platform = "linkedin"
	Instagram Platform = "instagram"
	YouTube   Platform = "youtube"
	WhatsApp  Platform = "whatsapp"
	TikTok    Platform = "tiktok"
	X         Platform = "x"
	Facebook  Platform = "facebook"
)

// Platforms has every platform, in the order in which links are checked.
var Platforms = []Platform{LinkedIn, Instagram, YouTube, WhatsApp, TikTok, X, Facebook}

// Socials are links by platform. In a change, an empty link removes the one that is
// there.
type Socials map[Platform]string
