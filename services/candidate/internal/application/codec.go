package application

import (
	"encoding/json"
	"fmt"
)

// version is the version of the stored format. Increase it if existing code would misread a changed
// format, and make DecodeAnswers read both versions.
const version = 1

type storedAnswers struct {
	Version int            `json:"v"`
	Answers []storedAnswer `json:"answers,omitempty"`
}

type storedAnswer struct {
	QuestionID string       `json:"question"`
	Type       QuestionType `json:"type"`
	Value      Value        `json:"value"`
}

// EncodeAnswers encodes answers in the stored format.
func EncodeAnswers(answers []Answer) ([]byte, error) {
	s := storedAnswers{Version: version}
	for _, a := range answers {
		s.Answers = append(s.Answers, storedAnswer(a))
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("application: encode answers: %w", err)
	}
	return raw, nil
}

// DecodeAnswers decodes the output of EncodeAnswers.
func DecodeAnswers(raw []byte) ([]Answer, error) {
	var s storedAnswers
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("application: decode answers: %w", err)
	}
	if s.Version != version {
		return nil, fmt.Errorf("application: decode answers: unknown version %d", s.Version)
	}
	var answers []Answer
	for _, a := range s.Answers {
		answers = append(answers, Answer(a))
	}
	return answers, nil
}
