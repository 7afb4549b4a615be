package job

import (
	"time"

	"vitae.internal/pkg/fault"
)

// Job is a job with all its fields. The partner API does not show some of them
// (behaviour: jobs#job-resource).
type Job struct {
	ID        string
	CompanyID string
	Status    Status
	Sections
	// Applications is the number of applications. Edits do not change it.
	Applications int32
	// PostedAt is the moment at which the job first went live, nil before that.
	PostedAt *time.Time
	// CreatedAt and UpdatedAt are cut to the millisecond, as answers show them, so
	// that the order of a list agrees with the times in it.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Sections is the part of a job that the employer writes, divided as in a request.
type Sections struct {
	Basics  Basics
	Content Content
	// Compensation is nil if none is set.
	Compensation *Compensation
	// Eligibility is nil if no rule is set.
	Eligibility *Eligibility
	// Programme is nil if the employer sent none.
	Programme *WorkforceProgramme
	Questions []Question
	// Distribution is where the job is listed now.
	Distribution Distribution
	// UnmaskedDistribution is the distribution that a confidential job has again when
	// its confidentiality ends. It is empty for a job that is not confidential, and for
	// one that was made confidential before it was remembered.
	UnmaskedDistribution Distribution
	// Confidential is nil if the employer sent none.
	Confidential *Confidentiality
}

// masked reports whether the employer of the job is masked.
func (s Sections) masked() bool { return s.Confidential != nil && s.Confidential.Enabled }

// Basics describes the role. Empty text means none.
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
	// Currency is an ISO 4217 code in capitals. In a job that was stored before drafts
	// were checked it may be any text; Salary leaves that out.
	Currency string
	Period   string
	// Visible says whether candidates see the range.
	Visible bool
}

// Eligibility holds the rules for candidates. In a stored job each of them is set.
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
	// Acknowledged says whether the employer accepted the programme's rules.
	Acknowledged bool
}

// Question is a screening question.
type Question struct {
	// ID is the id by which answers name the question.
	ID       string       `json:"id"`
	Prompt   string       `json:"prompt"`
	Type     QuestionType `json:"type"`
	Required bool         `json:"required,omitempty"`
	// Order is the place among the questions, nil if it is not set.
	Order *int32 `json:"order,omitempty"`
	// Options is empty unless Type is MultipleChoice.
	Options []string `json:"options,omitempty"`
	// Source and DefaultKey are empty if they are not set.
	Source     string `json:"source,omitempty"`
	DefaultKey string `json:"defaultKey,omitempty"`
}

// Confidentiality says whether the employer is masked, and by which label.
type Confidentiality struct {
	Enabled     bool
	PublicLabel string
}

// Location gives city and country as one line, empty without either
// (behaviour: jobs#location-line).
func (b Basics) Location() string {
	switch {
	case b.City == "":
		return b.Country
	case b.Country == "":
		return b.City
	}
	return b.City + ", " + b.Country
}

// Description gives the job's full description, empty if it is blank.
func (c Content) Description() string {
	if fault.IsBlank(c.Summary) {
		return ""
	}
	return c.Summary
}
