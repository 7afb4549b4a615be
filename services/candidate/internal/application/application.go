package application

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// Source is where an application came from, in the words of the JSON; empty if it
// was not given.
type Source string

// The sources (behaviour: applications#sources).
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
	// PersonID is the applicant.
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
	// Cv is the CV that was submitted, as it was then; nil if a file was submitted.
	Cv *profile.CvReference
}

// Change is a stage and the time when it was reached.
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

// Submission is what a person applies with: either a CV or a resume.
type Submission struct {
	// CvID is profile.MainCvID or the CV's id.
	CvID string
	// ResumeID is a file of the person that belongs to no application yet.
	ResumeID string
}

// Candidate is the person who applied, as of now. Empty text means none.
type Candidate struct {
	// PersonID is the id of the person.
	PersonID string
	// Name of the person.
	Name string
	// Username is the handle.
	Username string
	// HasPhoto is true if there is a photo. The gateway signs its address.
	HasPhoto bool
	// Email address of the account.
	Email string
	// Headline below the name.
	Headline string
}

// Row is an application as lists show it.
type Row struct {
	Application
	Candidate Candidate
}
