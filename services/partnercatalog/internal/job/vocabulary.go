package job

// Status is where a job stands. The words are those of the JSON.
type Status string

// The statuses (spec: Job status).
const (
	Draft    Status = "draft"
	Active   Status = "active"
	Closed   Status = "closed"
	Archived Status = "archived"
)

// Distribution is where a job is listed.
type Distribution string

// TabbioOnly is where every confidential job is listed (decision 30).
const TabbioOnly Distribution = "tabbio_only"

// WorkMode is where the work is done.
type WorkMode string

// Remote is the mode that needs no place.
const Remote WorkMode = "remote"

// QuestionType is the type of a screening question.
type QuestionType string

// MultipleChoice is the type that has options.
const MultipleChoice QuestionType = "multiple_choice"

// Programme is a national workforce programme.
type Programme string

// NoProgramme is the programme that asks nothing of the employer.
const NoProgramme Programme = "none"

// anyone is what an eligibility rule is that says nothing, once another does.
const anyone = "any"

// The words that each field may have (spec: Jobs, create body).
var (
	Statuses           = []Status{Draft, Active, Closed, Archived}
	WorkModes          = []WorkMode{"onsite", "hybrid", Remote}
	Employments        = []string{"full_time", "part_time", "contract", "internship"}
	Seniorities        = []string{"entry", "mid", "senior", "lead", "executive"}
	Periods            = []string{"monthly", "yearly"}
	Distributions      = []Distribution{"tabbio_and_company", TabbioOnly, "company_page_only", "hidden"}
	CandidateLocations = []string{anyone, "in_country", "in_city", "in_region", "open_to_relocation", "uae", "dubai", "abu_dhabi", "gcc", "uae_relocation"}
	Experiences        = []string{anyone, "1_plus", "3_plus", "5_plus", "7_plus", "10_plus"}
	Languages          = []string{anyone, "english", "arabic", "english_and_arabic", "english_or_arabic"}
	WorkEligibilities  = []string{anyone, "eligible", "eligible_or_sponsorship", "sponsorship_required"}
	Programmes         = []Programme{NoProgramme, "emirati", "saudi", "qatari", "kuwaiti", "bahraini", "omani", "gcc", "other", "emiratisation", "saudization"}
	QuestionTypes      = []QuestionType{"yes_no", MultipleChoice, "short_answer", "long_answer", "number"}
	QuestionSources    = []string{"default", "custom"}
	DefaultQuestions   = []string{"education", "experience_years", "expected_salary", "availability"}
)
