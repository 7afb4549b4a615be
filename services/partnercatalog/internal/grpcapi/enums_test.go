package grpcapi

import (
	"slices"
	"testing"

	"vitae.internal/pkg/vocabulary"
	"vitae.internal/services/partnercatalog/internal/job"
)

func TestEnumsMatchDomainWords(t *testing.T) {
	same(t, statuses, job.Statuses)
	same(t, saveAs, job.SaveAs)
	same(t, workModes, job.WorkModes)
	same(t, employments, job.Employments)
	same(t, seniorities, job.Seniorities)
	same(t, periods, job.Periods)
	same(t, distributions, job.Distributions)
	same(t, candidateLocations, job.CandidateLocations)
	same(t, experiences, job.Experiences)
	same(t, languages, job.Languages)
	same(t, workEligibilities, job.WorkEligibilities)
	same(t, programmes, job.Programmes)
	same(t, questionTypes, job.QuestionTypes)
	same(t, questionSources, job.QuestionSources)
	same(t, defaultQuestions, job.DefaultQuestions)
}

func same[E vocabulary.Enum, W ~string](t *testing.T, v vocabulary.Of[E], words []W) {
	t.Helper()
	if v.Len() != len(words) {
		t.Errorf("the contract has %d words, but the domain has %q", v.Len(), words)
	}
	for _, word := range words {
		value := v.Value(string(word))
		if value == 0 || v.Word(value) != string(word) {
			t.Errorf("%q converts to %v, which converts to %q", word, value, v.Word(value))
		}
	}
	if v.Word(0) != "" || v.Value("") != 0 || slices.Contains(words, W(v.Word(99))) || v.Word(99) == "" {
		t.Errorf("Word(0) = %q, Word(99) = %q", v.Word(0), v.Word(99))
	}
}
