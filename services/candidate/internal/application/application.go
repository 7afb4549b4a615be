package application

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// Source is where an application came from, as in the JSON; empty if not known.
type Source string

// The sources (behaviour: applications#sources).
const (
	SourceApp           Source = "tabbio_app"
	SourcePublicPage    Source = "public_page"
	SourcePublicNewUser Source = "public_new_user"
)

// Application is an application to a job, without the fields that only the detail has.
type Application struct {
	// ID is prefixed "apl_".
	ID string
	// AppID is the app that manages the company. Only it may see the application.
	JobID, CompanyID, AppID string
	// PersonID is the applicant.
	PersonID  string
	Status    Status
	AppliedAt time.Time
	// UpdatedAt is when its stage last changed.
	UpdatedAt time.Time
	Source    Source
	// Answers are in the order of the questions.
	Answers []Answer
	// History has its stages, oldest first. It is never empty.
	History []Change
	// Cv is the submitted CV at the time of applying; nil if a file was submitted.
	Cv *profile.CvReference
}

// Change is a stage and the time at which it was reached. The tags are those of exports.
type Change struct {
	Status Status    `json:"status"`
	At     time.Time `json:"at"`
}

// FrozenCv is a CV as of the time of applying.
type FrozenCv struct {
	profile.CvReference
	CreatedAt time.Time
	Content   *cv.Content
}

// Submission is either a CV or a resume.
type Submission struct {
	// CvID is profile.MainCvID or the CV's id.
	CvID string
	// ResumeID is an uploaded file that belongs to no application yet.
	ResumeID string
}

// Candidate is the current data of the applicant. Empty text means none.
type Candidate struct {
	PersonID string
	Name     string
	// Username is the handle.
	Username string
	// HasPhoto is true if there is a photo. The gateway signs its address.
	HasPhoto bool
	Email    string
	// Headline below the name.
	Headline string
}

// Row is an application as lists show it.
type Row struct {
	Application
	Candidate Candidate
}
