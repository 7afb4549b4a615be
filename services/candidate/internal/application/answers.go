package application

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"vitae.internal/services/candidate/internal/validate"
)

// Limits of texts that answer, in characters.
const (
	maxShortAnswer = 1_000
	maxLongAnswer  = 20_000
)

// maxAnswers bounds what all answers of an application hold together, in bytes of
// UTF-8: a page of a hundred applications must fit into one message, and nobody
// who applies may keep an employer from reading it.
const maxAnswers = 40 << 10

// AnswerInput is an answer as it was given.
type AnswerInput struct {
	// QuestionID is which question it answers.
	QuestionID string
	// Value is what was given; nil for nothing.
	Value Value
}

// answersTo checks the answers against the questions and gives them in the
// questions' order. Errors: INVALID_ARGUMENT naming the field.
func answersTo(questions []Question, given []AnswerInput) ([]Answer, error) {
	var f validate.Fields
	byID, size := make(map[string]Answer, len(given)), 0
	for i, input := range given {
		path := fmt.Sprintf("answers[%d]", i)
		at := slices.IndexFunc(questions, func(q Question) bool { return q.ID == input.QuestionID })
		if at < 0 {
			f.Fail(path+".question_id", "must be a question of the job")
			continue
		}
		if _, answered := byID[input.QuestionID]; answered {
			f.Fail(path+".question_id", "must be answered once")
			continue
		}
		q := questions[at]
		q.check(&f, path+".value", input.Value)
		byID[q.ID] = Answer{QuestionID: q.ID, Type: q.Type, Value: input.Value}
		text, _ := input.Value.(string)
		size += len(q.ID) + len(text)
	}
	if size > maxAnswers {
		f.Fail("answers", "must hold at most %d KiB of text together", maxAnswers>>10)
	}
	var answers []Answer
	for _, q := range questions {
		a, answered := byID[q.ID]
		switch {
		case answered:
			answers = append(answers, a)
		case q.Required:
			f.Fail("answers", "must answer the question %s", q.ID)
		}
	}
	return answers, f.Err()
}

// check checks that value is of the type that the question asks for.
func (q Question) check(f *validate.Fields, path string, value Value) {
	switch q.Type {
	case YesNo:
		if _, ok := value.(bool); !ok {
			f.Fail(path, "must be true or false")
		}
	case Number:
		if n, ok := value.(float64); !ok || math.IsNaN(n) || math.IsInf(n, 0) {
			f.Fail(path, "must be a number")
		}
	case MultipleChoice:
		if s, ok := value.(string); !ok || !slices.Contains(q.Options, s) {
			f.Fail(path, "must be one of the question's options")
		}
	case ShortAnswer:
		q.checkText(f, path, value, maxShortAnswer)
	case LongAnswer:
		q.checkText(f, path, value, maxLongAnswer)
	default:
		f.Fail(path, "answers a question of an unknown type")
	}
}

func (q Question) checkText(f *validate.Fields, path string, value Value, limit int) {
	s, ok := value.(string)
	if !ok {
		f.Fail(path, "must be text")
		return
	}
	if f.Text(path, s, limit) && q.Required && strings.TrimSpace(s) == "" {
		f.Fail(path, "must not be blank")
	}
}
