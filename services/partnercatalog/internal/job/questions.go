package job

import (
	"encoding/json"
	"fmt"
	"slices"

	"vitae.internal/pkg/id"
)

// identified returns the questions of a request, each with an id. before contains the job's current
// questions.
//
// A question with an id in the request keeps it. A question without an id takes the id of a current question
// with the same prompt and type, because stored answers refer to that id
// (behaviour: jobs#questions-without-ids). Among several candidates, a question with the same options is
// preferred; otherwise, the order of the two lists decides. Other questions get a new id.
func identified(sent, before []Question) []Question {
	out := slices.Clone(sent)
	used := map[string]bool{}
	for _, q := range out {
		used[q.ID] = true
	}
	for _, alike := range []func(a, b Question) bool{sameQuestionAndOptions, sameQuestion} {
		for i := range out {
			if out[i].ID != "" {
				continue
			}
			at := slices.IndexFunc(before, func(b Question) bool { return !used[b.ID] && alike(out[i], b) })
			if at >= 0 {
				out[i].ID = before[at].ID
				used[out[i].ID] = true
			}
		}
	}
	for i := range out {
		if out[i].ID == "" {
			out[i].ID = id.New("qst")
		}
	}
	return out
}

// sameQuestion reports whether a stored answer to a would also be an answer to b.
func sameQuestion(a, b Question) bool { return a.Prompt == b.Prompt && a.Type == b.Type }

func sameQuestionAndOptions(a, b Question) bool {
	return sameQuestion(a, b) && slices.Equal(a.Options, b.Options)
}

// version is the version of the stored form of questions. If older code would misread a changed form,
// increase the version and make DecodeQuestions read both versions.
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
