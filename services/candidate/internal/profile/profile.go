package profile

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/cv"
)

// Constants for the main CV, which every person has (behaviour: sharing#the-main-cv).
const (
	// MainCvID is the id of the CV whose content is part of the profile.
	MainCvID    = "master"
	MainCvTitle = "Main CV"
)

// MaxCvs is the maximum number of CVs that a person can have in addition to the main CV.
const MaxCvs = 100

// Person is a profile without its CV. Empty strings mean that a value is not set.
//
// A field added here is private until package projection shows it.
type Person struct {
	// ID is the person's id, assigned by the auth service.
	ID    string
	Email string
	// EmailVerified reports whether the email address has been verified. An unverified address is never
	// shown.
	EmailVerified bool
	Name          string
	// Username is the handle, in lower case.
	Username string
	// Headline is shown below the name.
	Headline string
	// Locale is the person's language, a BCP 47 tag.
	Locale string
	// AvatarURL is the URL of the photo, or KeptPhoto.
	AvatarURL string
	// UAEPassVerified reports whether the person's identity was verified with UAE Pass.
	UAEPassVerified bool
	OpenToWork      bool
	// Public reports whether the person wants a public page. A public page also requires a Username.
	Public bool
	// Details are the personal details, or nil if none are stored.
	Details *Details
	// Phone is the phone number, which is private.
	Phone string
	// Address is the full address, which is private.
	Address string
	// HasMainCv is the result of cv.HasCV for the content.
	HasMainCv bool
	CreatedAt time.Time
	// UpdatedAt is the time of the last update of the profile or the main CV.
	UpdatedAt time.Time
}

// Details are the private personal details (behaviour: sharing#personal-details).
type Details = cvv1.PersonalDetails

// IsEmpty reports whether no detail is set.
func IsEmpty(d *Details) bool { return proto.Size(d) == 0 }

// Profile is a person together with the content of the main CV.
type Profile struct {
	Person
	Content *cv.Content
	// Photo is the stored JPEG if AvatarURL is KeptPhoto.
	Photo []byte
}

// Cv is a CV other than the main CV.
type Cv struct {
	// ID starts with "cv_".
	ID string
	// PersonID is the id of the owner.
	PersonID  string
	Title     string
	Content   *cv.Content
	CreatedAt time.Time
	UpdatedAt time.Time
	// Template is the layout of the PDF, or "" for the default.
	Template Template
}

// CvReference describes a CV without its content.
type CvReference struct {
	// ID is MainCvID or the CV's id.
	ID        string
	Title     string
	UpdatedAt time.Time
}

// Choice lists the CVs that a person can share, for the consent page.
type Choice struct {
	Name     string
	HasPhoto bool
	// Cvs lists the main CV first, if it has content, followed by the others, newest first.
	Cvs []CvReference
	// Drafts lists the ids of CVs that have unsaved changes. It may contain MainCvID even if the main CV
	// has no content.
	Drafts []string
}

// Check returns ErrCvNotFound if the person cannot share the CV. A person without CVs can share the main CV
// before it has any content (behaviour: sharing#the-main-cv).
func (c Choice) Check(cvID string) error {
	if len(c.Cvs) == 0 && cvID == MainCvID || slices.ContainsFunc(c.Cvs, func(r CvReference) bool { return r.ID == cvID }) {
		return nil
	}
	return ErrCvNotFound
}
