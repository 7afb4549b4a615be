package applicant

import (
	"time"

	"vitae.internal/services/candidate/internal/application"
)

// Made is a stored application.
type Made struct {
	ID, JobID string
	Status    application.Status
	// UpdatedAt is the time of the last stage change.
	AppliedAt, UpdatedAt time.Time
	// History lists the stages, oldest first.
	History []application.Change
	// CvTitle is the title that the submitted CV had at the time of applying. It is empty if a file
	// was submitted.
	CvTitle string
	// Filename is the name of the submitted file. It is empty if the file has no name or a CV was
	// submitted.
	Filename string
}

// Heading identifies a job by title and employer.
type Heading struct {
	// Title is the job's current title.
	Title string
	// Employer is the name of the company. For a company that hides its name, it is the label shown
	// instead, which may be empty.
	Employer string
	// Masked reports whether the employer hides its name.
	Masked bool
}

// Read is the number of times that an app has read the full application on one day. The JSON tags
// define the format of exports.
type Read struct {
	// AppName is empty if the app has been deleted or would identify a masked employer.
	AppName string `json:"appName,omitempty"`
	// Day is a UTC day in the form YYYY-MM-DD.
	Day   string `json:"day"`
	Count int64  `json:"count"`
	// Latest is the time of the last read on that day.
	Latest time.Time `json:"lastAt"`
}

// Application is an application as its applicant sees it.
type Application struct {
	Made
	// Job is zero if the job has been deleted.
	Job Heading
	// Reads are the reads in the last year, with the newest day first.
	Reads []Read
}

// Page is a page of a person's applications.
type Page struct {
	// Applications are sorted newest first.
	Applications []Application
	// Next is the cursor of the next page, or empty on the last page.
	Next string
}
