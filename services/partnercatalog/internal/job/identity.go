package job

import (
	"slices"

	"vitae.internal/pkg/id"
)

// identified gives the questions of a request with an id for each. before are the
// questions that the job has.
//
// A question keeps the id that it is sent with. One without an id is a question of
// before if it has its prompt and its type, because the answers that were given name
// that id (behaviour: jobs#questions-without-ids). Of several that fit, the one with the
// same options comes first, then the order of both lists decides. Any other question is
// new, and gets a new id.
func identified(sent, before []Question) []Question {
	out := slices.Clone(sent)
	taken := map[string]bool{}
	for _, q := range out {
		taken[q.ID] = true
	}
	for _, alike := range []func(a, b Question) bool{sameQuestionAndOptions, sameQuestion} {
		for i := range out {
			if out[i].ID != "" {
				continue
			}
			at := slices.IndexFunc(before, func(b Question) bool { return !taken[b.ID] && alike(out[i], b) })
			if at >= 0 {
				out[i].ID = before[at].ID
				taken[out[i].ID] = true
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

// sameQuestion compares what an answer answers, character by character.
func sameQuestion(a, b Question) bool { return a.Prompt == b.Prompt && a.Type == b.Type }

func sameQuestionAndOptions(a, b Question) bool {
	return sameQuestion(a, b) && slices.Equal(a.Options, b.Options)
}
