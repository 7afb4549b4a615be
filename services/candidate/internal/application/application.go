package application

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// Source is where an application came from, as in the JSON. It is empty if unknown.
type Source string

// The sources (behaviour: applications#sources).
const (
	SourceApp           Source = "tabbio_app"
	SourcePublicPage    Source = "public_page"
	SourcePublicNewUser Source = "public_new_user"
)

// Application is an application to a job, without the fields that are only part of the detail.
type Application struct {
	// ID has the prefix "apl_".
	ID string
	// AppID is the app that manages the company. No other app may see the application.
	JobID, CompanyID, AppID string
	// PersonID is the applicant.
	PersonID  string
	Status    Status
	AppliedAt time.Time
	// UpdatedAt is the time of the last stage change.
	UpdatedAt time.Time
	Source    Source
	// Answers are in the order of the questions.
	Answers []Answer
	// History lists the stages, oldest first. It is never empty.
	History []Change
	// Cv is the CV as submitted, or nil if a file was submitted.
	Cv *profile.CvReference
}

// Change is a stage and the time at which it was reached. The tags define the format of exports.
type Change struct {
	Status Status    `json:"status"`
	At     time.Time `json:"at"`
}

// FrozenCv is a CV with its content at the time of applying.
type FrozenCv struct {
	profile.CvReference
	CreatedAt time.Time
	Content   *cv.Content
}

// Submission contains either a CV or a resume.
type Submission struct {
	// CvID is profile.MainCvID or the id of another CV.
	CvID string
	// ResumeID is the id of an uploaded file that does not belong to an application yet.
	ResumeID string
}

// Candidate is the applicant's current data. Fields that are not set are empty.
type Candidate struct {
	PersonID string
	Name     string
	// Username is the handle.
	Username string
	// HasPhoto reports whether there is a photo. The gateway signs its URL.
	HasPhoto bool
	Email    string
	// Headline is shown below the name.
	Headline string
}

// Row is an application as lists show it.
type Row struct {
	Application
	Candidate Candidate
}
