package profile

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
)

// The main CV of every person (behaviour: sharing#the-main-cv).
const (
	// MainCvID names the CV that follows the profile.
	MainCvID = "master"
	// MainCvTitle is its title.
	MainCvTitle = "Main CV"
)

// MaxCvs is how many CVs a person can have beside the main one.
const MaxCvs = 100

// Person is a profile without its CV. Empty text means none.
//
// A field added here is private until package projection shows it.
type Person struct {
	// ID is the person's id, from service auth.
	ID string
	// Email address of the account.
	Email string
	// EmailVerified is true if the address was verified. Another one is never shown.
	EmailVerified bool
	// Name of the person.
	Name string
	// Username is the handle, in lower case.
	Username string
	// Headline below the name.
	Headline string
	// Locale is the person's language, a BCP 47 tag.
	Locale string
	// AvatarURL is the photo: a URL, or KeptPhoto. An inline image is one that has not
	// been moved yet (package photo).
	AvatarURL string
	// UAEPassVerified is true if the identity was verified with UAE Pass.
	UAEPassVerified bool
	// OpenToWork is true if the person looks for work.
	OpenToWork bool
	// Public is true if the person wants a public page, which also needs a Username.
	Public bool
	// Details are private personal details.
	Details Details
	// Phone number, private.
	Phone string
	// Address in full, private.
	Address string
	// HasMainCv is true if the content makes a CV (cv.Content.HasCV).
	HasMainCv bool
	// CreatedAt is when the profile was made.
	CreatedAt time.Time
	// UpdatedAt is when it was last written, and with it the main CV.
	UpdatedAt time.Time
}

// Details are the private personal details (behaviour: sharing#personal-details).
type Details struct {
	// DateOfBirth is YYYY-MM-DD.
	DateOfBirth     string
	Gender          string
	MaritalStatus   string
	Nationality     string
	Residence       string
	VisaResidency   string
	NationalService string
	Dependents      string
}

// Profile is a person with the content of the main CV.
type Profile struct {
	Person
	Content cv.Content
	// Photo is the picture if AvatarURL is KeptPhoto, as a JPEG.
	Photo []byte
}

// Cv is a CV beside the main one.
type Cv struct {
	// ID is prefixed "cv_".
	ID string
	// PersonID is the owner.
	PersonID string
	// Title of the CV.
	Title string
	// Content of the CV.
	Content cv.Content
	// CreatedAt is when it was made.
	CreatedAt time.Time
	// UpdatedAt is when it last changed.
	UpdatedAt time.Time
	// Template is how its PDF is laid out; empty for the usual one.
	Template Template
}

// CvReference is a CV without its content.
type CvReference struct {
	// ID is MainCvID or the CV's id.
	ID string
	// Title of the CV.
	Title string
	// UpdatedAt is when it last changed.
	UpdatedAt time.Time
}

// Choice is what a person can share, for the consent page.
type Choice struct {
	// Name of the person.
	Name string
	// HasPhoto is true if there is a photo to share.
	HasPhoto bool
	// Cvs are the main CV, if it has content, then the others, newest first.
	Cvs []CvReference
	// Drafts are the ids of those with changes that are not saved, MainCvID also before it has content.
	Drafts []string
}
