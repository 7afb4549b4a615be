package job

import (
	"time"

	"vitae.internal/pkg/fault"
)

// Job is a job with all its fields. The partner API shows a part of them
// (behaviour: jobs#job-resource).
type Job struct {
	ID        string
	CompanyID string
	Status    Status
	Sections
	// Applications is the number of applications.
	Applications int32
	// PostedAt is when the job first went live, nil if it never did.
	PostedAt *time.Time
	// CreatedAt and UpdatedAt are in whole milliseconds, as in answers, so that the order of lists
	// agrees with the times shown.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Sections is the part of a job that the employer edits, divided as in requests.
type Sections struct {
	Basics       Basics
	Content      Content
	Compensation *Compensation
	// Eligibility is nil if no rule is set.
	Eligibility *Eligibility
	Programme   *WorkforceProgramme
	Questions   []Question
	// Distribution is where the job is currently listed.
	Distribution Distribution
	// UnmaskedDistribution is the distribution to restore when the job is no longer confidential.
	// It is empty for other jobs, and for jobs masked before this column existed.
	UnmaskedDistribution Distribution
	Confidential         *Confidentiality
}

func (s Sections) masked() bool { return s.Confidential != nil && s.Confidential.Enabled }

// Basics describes the role. Empty strings mean that a field is not set.
type Basics struct {
	Title      string
	Department string
	Country    string
	City       string
	WorkMode   WorkMode
	Employment string
	Seniority  string
}

// Content is the text of the job.
type Content struct {
	Summary          string
	Responsibilities []string
	Requirements     []string
	NiceToHave       []string
	Benefits         []string
}

// Compensation is the salary.
type Compensation struct {
	// Min and Max are nil if not set.
	Min, Max *float64
	// Currency is an ISO 4217 code in capitals. Old stored jobs may have any text here; Salary
	// filters it.
	Currency string
	Period   string
	// Visible reports whether candidates see the range.
	Visible bool
}

// Eligibility contains the rules for candidates. In a stored job, all of them are set.
type Eligibility struct {
	CandidateLocation string
	ExperienceYears   string
	Language          string
	WorkEligibility   string
}

// WorkforceProgramme is the national programme that a job belongs to.
type WorkforceProgramme struct {
	Value Programme
	Note  string
	// Acknowledged reports whether the employer accepted the programme's rules.
	Acknowledged bool
}

// Question is a screening question.
type Question struct {
	// ID identifies the question in answers.
	ID       string       `json:"id"`
	Prompt   string       `json:"prompt"`
	Type     QuestionType `json:"type"`
	Required bool         `json:"required,omitempty"`
	// Order is the position among the questions, nil if not set.
	Order *int32 `json:"order,omitempty"`
	// Options is empty unless Type is MultipleChoice.
	Options []string `json:"options,omitempty"`
	// Source and DefaultKey are empty if not set.
	Source     string `json:"source,omitempty"`
	DefaultKey string `json:"defaultKey,omitempty"`
}

// Confidentiality masks the employer, optionally with a label.
type Confidentiality struct {
	Enabled     bool
	PublicLabel string
}

// Location returns city and country as one line (behaviour: jobs#location-line).
func (b Basics) Location() string {
	switch {
	case b.City == "":
		return b.Country
	case b.Country == "":
		return b.City
	}
	return b.City + ", " + b.Country
}

// Description returns the job's description, or an empty string if it is blank.
func (c Content) Description() string {
	if fault.IsBlank(c.Summary) {
		return ""
	}
	return c.Summary
}
