package application

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// Source is where an application came from, as the specification spells it;
// empty when not said.
type Source string

// The sources (spec: Application, source).
const (
	SourceApp           Source = "tabbio_app"
	SourcePublicPage    Source = "public_page"
	SourcePublicNewUser Source = "public_new_user"
)

// Application is an application to a job, without what only the full detail
// shows.
type Application struct {
	// ID is prefixed "apl_".
	ID string
	// JobID, CompanyID and AppID are the job, its company, and the app that manages
	// the company, which alone may see the application.
	JobID, CompanyID, AppID string
	// PersonID is who applied.
	PersonID string
	// Status is its stage.
	Status Status
	// AppliedAt is when it was made.
	AppliedAt time.Time
	// UpdatedAt is when its stage last changed.
	UpdatedAt time.Time
	// Source is where it came from.
	Source Source
	// Answers to the job's questions, in the questions' order.
	Answers []Answer
	// History is the stages it has been in, oldest first, never empty.
	History []Change
	// Cv is the CV that was submitted, as of then; nil when a file was.
	Cv *profile.CvReference
}

// Change is a stage that was reached.
type Change struct {
	Status Status
	At     time.Time
}

// FrozenCv is a CV as it was at the moment of applying.
type FrozenCv struct {
	profile.CvReference
	// CreatedAt is when the CV was made.
	CreatedAt time.Time
	// Content of the CV.
	Content cv.Content
}

// Submission is what a person sends in: a CV or a resume, one of them.
type Submission struct {
	// CvID is profile.MainCvID or the CV's id.
	CvID string
	// ResumeID is a file of theirs that belongs to no application yet.
	ResumeID string
}

// Candidate is who applied, as of now. Empty text means none.
type Candidate struct {
	// PersonID is their id.
	PersonID string
	// Name of the person.
	Name string
	// Username is the handle.
	Username string
	// Image is the photo. In lists, one stored inline that is larger than
	// MaxListedImage is left out.
	Image string
	// Email address of the account.
	Email string
	// Headline below the name.
	Headline string
}

// MaxListedImage is how large an image stored inline may be in a list, in bytes:
// a page of a hundred stays below what one message carries.
const MaxListedImage = 32 << 10

// Row is an application as lists show it.
type Row struct {
	Application
	Candidate Candidate
}
