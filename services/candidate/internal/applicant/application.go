package applicant

import (
	"time"

	"vitae.internal/services/candidate/internal/application"
)

// Made is a stored application.
type Made struct {
	ID, JobID string
	Status    application.Status
	// UpdatedAt is when its stage last changed.
	AppliedAt, UpdatedAt time.Time
	// History has its stages, oldest first.
	History []application.Change
	// CvTitle is the title of the submitted CV at that time; empty if a file was submitted.
	CvTitle string
	// Filename is the name of the submitted file; empty if it has none or a CV was submitted.
	Filename string
}

// Heading names a job.
type Heading struct {
	// Title is the current title.
	Title string
	// Employer is the name of the company, or the label of a masked one, which may be empty.
	Employer string
	// Masked means that the employer hides its name.
	Masked bool
}

// Read counts how often an app has read an application in full on a day. The tags are those of
// exports.
type Read struct {
	// AppName is empty if the app is deleted, or if it would identify a masked employer.
	AppName string `json:"appName,omitempty"`
	// Day is a UTC day, YYYY-MM-DD.
	Day   string `json:"day"`
	Count int64  `json:"count"`
	// Latest is the time of the last read on that day.
	Latest time.Time `json:"lastAt"`
}

// Application is an application for its applicant.
type Application struct {
	Made
	// Job is zero if the job is deleted.
	Job Heading
	// Reads of the last year, newest day first.
	Reads []Read
}

// Page is a part of the list.
type Page struct {
	// Applications of the page, newest first.
	Applications []Application
	// Next is the cursor of the next page; empty on the last.
	Next string
}
