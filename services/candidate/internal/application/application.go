package application

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// Source is where an application came from. The values are the same as in the JSON of the API. It
// is empty if unknown.
type Source string

// The sources (behaviour: applications#sources).
const (
	SourceApp           Source = "tabbio_app"
	SourcePublicPage    Source = "public_page"
	SourcePublicNewUser Source = "public_new_user"
)

// Application is an application to a job, without the fields that are shown only for a single
// application.
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
	// Cv describes the submitted CV as it was at that time. It is nil if a file was submitted.
	Cv *profile.CvReference
}

// Change is a stage, together with the time at which it was reached. The JSON tags define the
// format of exports.
type Change struct {
	Status Status    `json:"status"`
	At     time.Time `json:"at"`
}

// FrozenCv is a CV with the content that it had when the person applied.
type FrozenCv struct {
	profile.CvReference
	CreatedAt time.Time
	Content   *cv.Content
}

// Submission is what a person applies with: either a CV or a resume.
type Submission struct {
	// CvID is profile.MainCvID or the id of a different CV.
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

// Row is an application in the form that lists show.
type Row struct {
	Application
	Candidate Candidate
}
