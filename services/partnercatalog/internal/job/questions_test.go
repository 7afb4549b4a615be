package job

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestQuestionWithoutIDKeepsItsID(t *testing.T) {
	ask := func(id, prompt string, options ...string) Question {
		q := Question{ID: id, Prompt: prompt, Type: "number"}
		if options != nil {
			q.Type, q.Options = MultipleChoice, options
		}
		return q
	}
	for name, tc := range map[string]struct {
		before, sent []Question
		want         []string // "" means a new id
	}{
		"unchanged":            {[]Question{ask("a", "A"), ask("b", "B")}, []Question{ask("", "A"), ask("", "B")}, []string{"a", "b"}},
		"different order":      {[]Question{ask("a", "A"), ask("b", "B")}, []Question{ask("", "B"), ask("", "C"), ask("", "A")}, []string{"b", "", "a"}},
		"different prompt":     {[]Question{ask("a", "A")}, []Question{ask("", "A ")}, []string{""}},
		"different type":       {[]Question{ask("a", "A")}, []Question{{Prompt: "A", Type: "yes_no"}}, []string{""}},
		"other fields differ":  {[]Question{ask("a", "A")}, []Question{{Prompt: "A", Type: "number", Required: true, Order: ptr[int32](7), Source: "custom"}}, []string{"a"}},
		"different options":    {[]Question{ask("a", "A", "x")}, []Question{ask("", "A", "x", "y")}, []string{"a"}},
		"two sent, one before": {[]Question{ask("a", "A")}, []Question{ask("", "A"), ask("", "A")}, []string{"a", ""}},
		"two sent, two before": {[]Question{ask("a", "A"), ask("b", "A")}, []Question{ask("", "A"), ask("", "A")}, []string{"a", "b"}},
		"options distinguish twins": {
			[]Question{ask("a", "A", "x"), ask("b", "A", "y")}, []Question{ask("", "A", "z"), ask("", "A", "y")}, []string{"a", "b"},
		},
		"id sent with a different one": {[]Question{ask("a", "A"), ask("b", "B")}, []Question{ask("", "A"), ask("a", "C")}, []string{"", "a"}},
		"one id twice before":          {[]Question{ask("a", "A"), ask("a", "A")}, []Question{ask("", "A"), ask("", "A")}, []string{"a", ""}},
		"nothing before":               {nil, []Question{ask("", "A"), ask("mine", "B")}, []string{"", "mine"}},
	} {
		got := identified(tc.sent, tc.before)
		for i, want := range tc.want {
			if id := got[i].ID; want != "" && id != want || want == "" && !strings.HasPrefix(id, "qst_") {
				t.Errorf("%s: question %d has the id %q, want %q", name, i, id, want)
			}
		}
	}
}

func TestAssignedQuestionIDsAreUnique(t *testing.T) {
	question := rapid.Custom(func(t *rapid.T) Question {
		return Question{
			ID: rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "id"), Type: "number",
			Prompt: rapid.SampledFrom([]string{"A", "B"}).Draw(t, "prompt"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		before := identified(rapid.SliceOfN(question, 0, 5).Draw(t, "before"), nil)
		sent := rapid.SliceOfN(question, 0, 5).Draw(t, "sent")
		kept := slices.Clone(sent)
		got, seen := identified(sent, before), map[string]bool{}
		for i, q := range got {
			if sent[i].ID == "" && seen[q.ID] || sent[i].ID != "" && q.ID != sent[i].ID {
				t.Fatalf("question %d of %+v became %+v", i, sent, got)
			}
			seen[q.ID] = true
		}
		if !slices.EqualFunc(sent, kept, func(a, b Question) bool { return a.ID == b.ID }) {
			t.Fatal("the request was changed")
		}
	})
}
