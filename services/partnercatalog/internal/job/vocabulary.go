package job

// Status is the status of a job, as in JSON.
type Status string

// Statuses of a job (behaviour: jobs#job-states).
const (
	Draft    Status = "draft"
	Active   Status = "active"
	Closed   Status = "closed"
	Archived Status = "archived"
)

// Distribution specifies where a job is listed.
type Distribution string

// TabbioOnly is the distribution of every confidential job (behaviour: jobs#confidential-jobs).
const TabbioOnly Distribution = "tabbio_only"

// WorkMode specifies where the work is done.
type WorkMode string

// Remote is the only work mode that does not require a country and a city.
const Remote WorkMode = "remote"

// QuestionType is the type of a screening question.
type QuestionType string

// MultipleChoice is the only question type with options.
const MultipleChoice QuestionType = "multiple_choice"

// Programme is a national workforce programme.
type Programme string

// NoProgramme means that the job belongs to no programme. It needs no acknowledgement
// (behaviour: jobs#workforce-programme).
const NoProgramme Programme = "none"

// anyone is the value of an eligibility rule that excludes no one.
const anyone = "any"

// Allowed values of each field (behaviour: jobs#vocabulary).
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
