package application

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"vitae.internal/pkg/fault"
)

// Maximum lengths of text answers, in characters.
const (
	maxShortAnswer = 1_000
	maxLongAnswer  = 20_000
)

// maxAnswers is the maximum total size of an application's answers, in bytes. A page of a hundred
// applications must fit into one gRPC message, so this prevents an applicant from making a page
// unreadable (behaviour: applications#size-of-answers).
const maxAnswers = 40 << 10

// AnswerInput is an answer given in a request.
type AnswerInput struct {
	QuestionID string
	// Value is nil if the answer is missing.
	Value Value
}

// answersTo validates the answers against the questions and adds errors to faults. It returns the
// answers in the order of the questions.
func answersTo(questions []Question, given []AnswerInput, faults *fault.List) []Answer {
	byID, size := make(map[string]Answer, len(given)), 0
	for i, input := range given {
		path := fmt.Sprintf("answers[%d]", i)
		at := slices.IndexFunc(questions, func(q Question) bool { return q.ID == input.QuestionID })
		if at < 0 {
			faults.Add(path+".question_id", "must be a question of the job")
			continue
		}
		if _, answered := byID[input.QuestionID]; answered {
			faults.Add(path+".question_id", "must be answered once")
			continue
		}
		q := questions[at]
		q.check(faults, path+".value", input.Value)
		byID[q.ID] = Answer{QuestionID: q.ID, Type: q.Type, Value: input.Value}
		text, _ := input.Value.(string)
		size += len(q.ID) + len(text)
	}
	if size > maxAnswers {
		faults.Add("answers", "must hold at most %d KiB of text together", maxAnswers>>10)
	}
	return inOrder(questions, byID, faults)
}

// inOrder returns the answers in the order of the questions. It reports all unanswered required
// questions as a single error about the whole list, because a missing answer has no index.
func inOrder(questions []Question, byID map[string]Answer, faults *fault.List) []Answer {
	var answers []Answer
	var missing []string
	for _, q := range questions {
		a, answered := byID[q.ID]
		switch {
		case answered:
			answers = append(answers, a)
		case q.Required:
			missing = append(missing, q.ID)
		}
	}
	switch len(missing) {
	case 0:
	case 1:
		faults.Add("answers", "must answer the question %s", missing[0])
	default:
		faults.Add("answers", "must answer the questions %s", strings.Join(missing, ", "))
	}
	return answers
}

// check adds an error if value does not have the type that the question requires.
func (q Question) check(faults *fault.List, path string, value Value) {
	switch q.Type {
	case YesNo:
		if _, ok := value.(bool); !ok {
			faults.Add(path, "must be true or false")
		}
	case Number:
		if n, ok := value.(float64); !ok || math.IsNaN(n) || math.IsInf(n, 0) {
			faults.Add(path, "must be a number")
		}
	case MultipleChoice:
		if s, ok := value.(string); !ok || !slices.Contains(q.Options, s) {
			faults.Add(path, "must be one of the question's options")
		}
	case ShortAnswer:
		q.checkText(faults, path, value, maxShortAnswer)
	case LongAnswer:
		q.checkText(faults, path, value, maxLongAnswer)
	default:
		faults.Add(path, "answers a question of an unknown type")
	}
}

func (q Question) checkText(faults *fault.List, path string, value Value, limit int) {
	s, ok := value.(string)
	if !ok {
		faults.Add(path, "must be text")
		return
	}
	if faults.Text(path, s, limit) && q.Required && strings.TrimSpace(s) == "" {
		faults.Add(path, "must not be blank")
	}
}
