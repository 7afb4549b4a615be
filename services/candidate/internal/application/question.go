package application

// QuestionType is the type of a screening question, as the specification spells
// it.
type QuestionType string

// The types of question (spec: Job, screening question).
const (
	YesNo          QuestionType = "yes_no"
	MultipleChoice QuestionType = "multiple_choice"
	ShortAnswer    QuestionType = "short_answer"
	LongAnswer     QuestionType = "long_answer"
	Number         QuestionType = "number"
)

// Question is a screening question of a job.
type Question struct {
	// ID that answers refer to.
	ID string
	// Type of the answer.
	Type QuestionType
	// Required says whether it must be answered.
	Required bool
	// Options of a multiple choice.
	Options []string
}

// Posting is a job as an application needs it.
type Posting struct {
	// JobID, CompanyID and AppID are as in Application.
	JobID, CompanyID, AppID string
	// Live says whether people can apply.
	Live bool
	// Questions in their order.
	Questions []Question
}

// Answer is an answer to a question.
type Answer struct {
	// QuestionID is which.
	QuestionID string
	// Type of the question when it was answered.
	Type QuestionType
	// Value is what was answered.
	Value Value
}

// Value is a string, for texts and the chosen option of a multiple choice, a
// finite float64 for a number, or a bool for yes or no.
type Value any
