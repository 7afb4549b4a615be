package application

// QuestionType is the type of a screening question, as in the JSON.
type QuestionType string

// The types of question (behaviour: jobs#screening-questions).
const (
	YesNo          QuestionType = "yes_no"
	MultipleChoice QuestionType = "multiple_choice"
	ShortAnswer    QuestionType = "short_answer"
	LongAnswer     QuestionType = "long_answer"
	Number         QuestionType = "number"
)

// Question is a screening question of a job.
type Question struct {
	ID string
	// Type of the answer.
	Type     QuestionType
	Required bool
	// Options of a multiple choice.
	Options []string
}

// Posting has the data of a job that an application needs.
type Posting struct {
	// JobID, CompanyID and AppID are as in Application.
	JobID, CompanyID, AppID string
	// Live means that people can apply.
	Live      bool
	Questions []Question
}

// Answer is an answer to a question. The tags are those of exports.
type Answer struct {
	QuestionID string `json:"questionId"`
	// Type of the question when it was answered.
	Type  QuestionType `json:"type"`
	Value Value        `json:"value"`
}

// Value is a string for texts and multiple choice, a finite float64 for a number, or a bool
// for yes or no.
type Value any
