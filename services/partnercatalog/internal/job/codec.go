package job

import (
	"encoding/json"
	"fmt"
)

// version of the stored form of questions. A change that older code would misread
// needs a higher one, and DecodeQuestions has to read both then.
const version = 1

type storedQuestions struct {
	Version int        `json:"v"`
	Items   []Question `json:"items"`
}

// EncodeQuestions gives the stored form of questions.
func EncodeQuestions(questions []Question) ([]byte, error) {
	raw, err := json.Marshal(storedQuestions{Version: version, Items: questions})
	if err != nil {
		return nil, fmt.Errorf("job: encode questions: %w", err)
	}
	return raw, nil
}

// DecodeQuestions reads the stored form of questions.
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
