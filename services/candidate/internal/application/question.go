package application

// QuestionType is the type of a screening question. The values are the same as in the JSON of the
// API.
type QuestionType string

// The question types (behaviour: jobs#screening-questions).
const (
	YesNo          QuestionType = "yes_no"
	MultipleChoice QuestionType = "multiple_choice"
	ShortAnswer    QuestionType = "short_answer"
	LongAnswer     QuestionType = "long_answer"
	Number         QuestionType = "number"
)

// Question is one of a job's screening questions.
type Question struct {
	ID string
	// Type is the type of the answer.
	Type     QuestionType
	Required bool
	// Options are the options of a multiple-choice question.
	Options []string
}

// Posting holds the job data that an application needs.
type Posting struct {
	// JobID, CompanyID and AppID have the same meaning as in Application.
	JobID, CompanyID, AppID string
	// Live reports whether people can apply for the job.
	Live      bool
	Questions []Question
}

// Answer is an answer to a question. The JSON tags define the format of exports.
type Answer struct {
	QuestionID string `json:"questionId"`
	// Type is the type that the question had when it was answered.
	Type  QuestionType `json:"type"`
	Value Value        `json:"value"`
}

// Value is a string for a text or multiple-choice answer, a finite float64 for a number, or a bool
// for a yes-or-no answer.
type Value any
