package applicant

import (
	"time"

	"vitae.internal/services/candidate/internal/application"
)

// Made is an application as it is stored.
type Made struct {
	ID, JobID string
	Status    application.Status
	// AppliedAt is when it was made, UpdatedAt when its stage last changed.
	AppliedAt, UpdatedAt time.Time
	// History is the stages it has been in, oldest first.
	History []application.Change
	// CvTitle is the title of the submitted CV, as it was then; empty if a file was submitted.
	CvTitle string
	// Filename is the name of the submitted file; empty for a file without one, and if a CV was
	// submitted.
	Filename string
}

// Heading names a job.
type Heading struct {
	// Title of the job, as it is now.
	Title string
	// Employer is the name of the company, or the label of one that is masked, which may be
	// empty.
	Employer string
	// Masked says that the employer does not show its name.
	Masked bool
}

// Read counts how often an app has read an application in full on a day.
type Read struct {
	// AppName is the name of the app; empty if it is gone, or would tell who a masked employer
	// is.
	AppName string
	// Day is a UTC day, YYYY-MM-DD.
	Day string
	// Count is how often.
	Count int64
	// Latest is when it was read last on that day.
	Latest time.Time
}

// Application is an application as the applicant sees it.
type Application struct {
	Made
	// Job is the zero Heading if the job is gone.
	Job Heading
	// Reads of the last year, newest day first.
	Reads []Read
}

// Page is a part of the list.
type Page struct {
	// Applications of the page, newest first.
	Applications []Application
	// Next is where the next page begins; empty if this is the last.
	Next string
}
