package job

import (
	"time"

	"vitae.internal/pkg/fault"
)

// Job is a job with all its fields. The partner API shows only some of them
// (behaviour: jobs#job-resource).
type Job struct {
	ID        string
	CompanyID string
	Status    Status
	Sections
	// Applications is the number of applications.
	Applications int32
	// PostedAt is the time at which the job first went live, or nil if it never did.
	PostedAt *time.Time
	// CreatedAt and UpdatedAt are in whole milliseconds, as in API responses, so that the order of
	// lists agrees with the times in the responses.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Sections holds the fields of a job that the employer edits, grouped as in requests.
type Sections struct {
	Basics       Basics
	Content      Content
	Compensation *Compensation
	// Eligibility is nil if no rule is set.
	Eligibility *Eligibility
	Programme   *WorkforceProgramme
	Questions   []Question
	// Distribution specifies where the job is currently listed.
	Distribution Distribution
	// UnmaskedDistribution is the distribution to restore when the job stops being confidential. It
	// is empty for other jobs, and for jobs that became confidential before this column existed.
	UnmaskedDistribution Distribution
	Confidential         *Confidentiality
}

func (s Sections) masked() bool { return s.Confidential != nil && s.Confidential.Enabled }

// Basics describes the role. An empty string means that a field is not set.
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
	// Min and Max are nil if they are not set.
	Min, Max *float64
	// Currency is an ISO 4217 code in upper case. Old stored jobs may contain any text; Salary
	// filters it out.
	Currency string
	Period   string
	// Visible reports whether candidates can see the salary range.
	Visible bool
}

// Eligibility holds the rules for candidates. In a stored job, all rules are set.
type Eligibility struct {
	CandidateLocation string
	ExperienceYears   string
	Language          string
	WorkEligibility   string
}

// WorkforceProgramme is a national programme to which a job belongs.
type WorkforceProgramme struct {
	Value Programme
	Note  string
	// Acknowledged reports whether the employer has accepted the programme's rules.
	Acknowledged bool
}

// Question is a screening question.
type Question struct {
	// ID identifies the question in applicants' answers.
	ID       string       `json:"id"`
	Prompt   string       `json:"prompt"`
	Type     QuestionType `json:"type"`
	Required bool         `json:"required,omitempty"`
	// Order is the position of the question, or nil if it is not set.
	Order *int32 `json:"order,omitempty"`
	// Options is empty unless Type is MultipleChoice.
	Options []string `json:"options,omitempty"`
	// Source and DefaultKey are empty if they are not set.
	Source     string `json:"source,omitempty"`
	DefaultKey string `json:"defaultKey,omitempty"`
}

// Confidentiality specifies whether the employer's name is hidden, and optionally a label to show
// instead.
type Confidentiality struct {
	Enabled     bool
	PublicLabel string
}

// Location returns the city and the country on one line (behaviour: jobs#location-line).
func (b Basics) Location() string {
	switch {
	case b.City == "":
		return b.Country
	case b.Country == "":
		return b.City
	}
	return b.City + ", " + b.Country
}

// Description returns the job's description, or "" if it is blank.
func (c Content) Description() string {
	if fault.IsBlank(c.Summary) {
		return ""
	}
	return c.Summary
}
