package profile

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/cv"
)

// The main CV of every person (behaviour: sharing#the-main-cv).
const (
	// MainCvID is the id of the CV with the content of the profile.
	MainCvID    = "master"
	MainCvTitle = "Main CV"
)

// MaxCvs is the maximum number of CVs of a person, in addition to the main one.
const MaxCvs = 100

// Person is a profile without its CV. Empty text means none.
//
// A field added here is private until package projection shows it.
type Person struct {
	// ID is the person's id, from service auth.
	ID    string
	Email string
	// EmailVerified is true if the address was verified. Unverified ones are never shown.
	EmailVerified bool
	Name          string
	// Username is the handle, in lower case.
	Username string
	// Headline below the name.
	Headline string
	// Locale is the person's language, a BCP 47 tag.
	Locale string
	// AvatarURL is the photo: a URL, or KeptPhoto.
	AvatarURL string
	// UAEPassVerified is true if the identity was verified with UAE Pass.
	UAEPassVerified bool
	OpenToWork      bool
	// Public is true if the person wants a public page, which also needs a Username.
	Public bool
	// Details are nil if nothing is stored.
	Details *Details
	// Phone number, private.
	Phone string
	// Address in full, private.
	Address string
	// HasMainCv is cv.HasCV of the content.
	HasMainCv bool
	CreatedAt time.Time
	// UpdatedAt is also that of the main CV.
	UpdatedAt time.Time
}

// Details are the private personal details (behaviour: sharing#personal-details).
type Details = cvv1.PersonalDetails

// IsEmpty reports whether no detail is set.
func IsEmpty(d *Details) bool { return proto.Size(d) == 0 }

// Profile is a person with the content of the main CV.
type Profile struct {
	Person
	Content *cv.Content
	// Photo is the JPEG if AvatarURL is KeptPhoto.
	Photo []byte
}

// Cv is a CV other than the main one.
type Cv struct {
	// ID is prefixed "cv_".
	ID string
	// PersonID is the owner.
	PersonID  string
	Title     string
	Content   *cv.Content
	CreatedAt time.Time
	UpdatedAt time.Time
	// Template is the layout of its PDF; empty for the default.
	Template Template
}

// CvReference is a CV without its content.
type CvReference struct {
	// ID is MainCvID or the CV's id.
	ID        string
	Title     string
	UpdatedAt time.Time
}

// Choice is what a person can share, for the consent page.
type Choice struct {
	Name     string
	HasPhoto bool
	// Cvs has the main CV, if it has content, then the others, newest first.
	Cvs []CvReference
	// Drafts has the ids of CVs with unsaved changes, including MainCvID without content.
	Drafts []string
}

// Check returns ErrCvNotFound if the person cannot share a CV. A person without CVs can share the main
// one before they write it (behaviour: sharing#the-main-cv).
func (c Choice) Check(cvID string) error {
	if len(c.Cvs) == 0 && cvID == MainCvID || slices.ContainsFunc(c.Cvs, func(r CvReference) bool { return r.ID == cvID }) {
		return nil
	}
	return ErrCvNotFound
}
