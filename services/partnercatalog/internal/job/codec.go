package job

import (
	"encoding/json"
	"fmt"
)

// version is the version of the stored form of questions. If older code would misread a change,
// increase it and make DecodeQuestions read both versions.
const version = 1

type storedQuestions struct {
	Version int        `json:"v"`
	Items   []Question `json:"items"`
}

// EncodeQuestions returns the stored form of questions.
func EncodeQuestions(questions []Question) ([]byte, error) {
	raw, err := json.Marshal(storedQuestions{Version: version, Items: questions})
	if err != nil {
		return nil, fmt.Errorf("job: encode questions: %w", err)
	}
	return raw, nil
}

// DecodeQuestions parses the stored form of questions.
func DecodeQuestions(raw []byte) ([]Question, error) {
	var stored storedQuestions
	if err := json.Unmarshal(raw, &stored); err != nil {
		return nil, fmt.Errorf("job: decode questions: %w", err)
	}
	if stored.Version != version {
		return nil, fmt.Errorf("job: decode questions: unknown version %d", stored.Version)
	}
	return stored.Items, nil
}
