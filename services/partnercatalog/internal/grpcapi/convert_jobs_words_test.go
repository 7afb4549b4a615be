package grpcapi

import (
	"slices"
	"testing"

	"vitae.internal/services/partnercatalog/internal/job"
)

func TestTheContractHasTheWordsOfTheDomainAndNoOthers(t *testing.T) {
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

func same[E enum, W ~string](t *testing.T, v vocabulary[E], words []W) {
	t.Helper()
	if len(v.words) != len(words)+1 {
		t.Errorf("the contract has %d words, the domain %q", len(v.words)-1, words)
	}
	for _, word := range words {
		value := v.value(string(word))
		if value == 0 || v.word(value) != string(word) {
			t.Errorf("%q is %v in the contract, which is %q", word, value, v.word(value))
		}
	}
	if v.word(0) != "" || v.value("") != 0 || slices.Contains(words, W(v.word(99))) || v.word(99) == "" {
		t.Errorf("unset is %q, 99 is %q", v.word(0), v.word(99))
	}
}
