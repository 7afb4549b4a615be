package job

import (
	"time"

	"vitae.internal/services/partnercatalog/internal/validate"
)

// Job is a job as its employer sees it, with what the partner API does not show.
type Job struct {
	ID        string
	CompanyID string
	Status    Status
	Sections
	// Applications so far; grows on its own, apart from edits.
	Applications int32
	// PostedAt is when the job first went live, nil before.
	PostedAt *time.Time
	// CreatedAt and UpdatedAt are cut to the millisecond, which is what answers
	// show: lists are in the order that their reader sees.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Sections are what the employer says of a job, in the sections of the request.
type Sections struct {
	Basics  Basics
	Content Content
	// Compensation is nil when none is set.
	Compensation *Compensation
	// Eligibility is nil when no rule is set.
	Eligibility *Eligibility
	// Programme is nil when nothing was said.
	Programme    *WorkforceProgramme
	Questions    []Question
	Distribution Distribution
	// Confidential is nil when nothing was said.
	Confidential *Confidentiality
}

// Basics are the role. Empty text means none.
type Basics struct {
	Title      string
	Department string
	Country    string
	City       string
	WorkMode   WorkMode
	Employment string
	Seniority  string
}

// Content is what the job says.
type Content struct {
	Summary          string
	Responsibilities []string
	Requirements     []string
	NiceToHave       []string
	Benefits         []string
}

// Compensation is what the job pays.
type Compensation struct {
	// Min and Max are nil when not set.
	Min, Max *float64
	// Currency is an ISO 4217 code, in a draft any text.
	Currency string
	Period   string
	// Visible says whether candidates see the range.
	Visible bool
}

// Eligibility are the rules for candidates; in a stored job each is set.
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
	// ID is what answers refer to.
	ID       string       `json:"id"`
	Prompt   string       `json:"prompt"`
	Type     QuestionType `json:"type"`
	Required bool         `json:"required,omitempty"`
	// Order is the place among the questions, nil when not said.
	Order *int32 `json:"order,omitempty"`
	// Options is empty unless Type is MultipleChoice.
	Options []string `json:"options,omitempty"`
	// Source and DefaultKey are empty when not said.
	Source     string `json:"source,omitempty"`
	DefaultKey string `json:"defaultKey,omitempty"`
}

// Confidentiality is whether the employer is masked, and by what.
type Confidentiality struct {
	Enabled     bool
	PublicLabel string
}

// Location is city and country as one line, empty without either.
func (b Basics) Location() string {
	switch {
	case b.City == "":
		return b.Country
	case b.Country == "":
		return b.City
	}
	return b.City + ", " + b.Country
}

// Description is the job's full description, empty when it is blank.
func (c Content) Description() string {
	if validate.IsBlank(c.Summary) {
		return ""
	}
	return c.Summary
}
