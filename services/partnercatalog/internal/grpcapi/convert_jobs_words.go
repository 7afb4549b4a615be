package grpcapi

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// vocabulary turns the values of an enum into the words of the domain and back:
// its names without the prefix of the enum, in lower case. The unset value is the
// empty word.
type vocabulary[E enum] struct {
	words  map[E]string
	values map[string]E
}

type enum interface {
	~int32
	protoreflect.Enum
}

// unknown is the word of a value that the enum does not have. No field may have it.
const unknown = "?"

// newVocabulary reads the words of an enum from its descriptor.
func newVocabulary[E enum]() vocabulary[E] {
	v := vocabulary[E]{words: map[E]string{}, values: map[string]E{}}
	values := E(0).Descriptor().Values()
	prefix := strings.TrimSuffix(string(values.ByNumber(0).Name()), "UNSPECIFIED")
	for i := range values.Len() {
		value := E(values.Get(i).Number())
		word := ""
		if value != 0 {
			word = strings.ToLower(strings.TrimPrefix(string(values.Get(i).Name()), prefix))
		}
		v.words[value], v.values[word] = word, value
	}
	return v
}

// word is empty for the unset value.
func (v vocabulary[E]) word(value E) string {
	word, known := v.words[value]
	if !known {
		return unknown
	}
	return word
}

// value is the unset one for the empty word.
func (v vocabulary[E]) value(word string) E { return v.values[word] }

// optional is nil for the empty word.
func (v vocabulary[E]) optional(word string) *E {
	if word == "" {
		return nil
	}
	value := v.values[word]
	return &value
}

// The enums of a job.
var (
	statuses           = newVocabulary[partnercatalogv1.JobStatus]()
	saveAs             = newVocabulary[partnercatalogv1.SaveAs]()
	workModes          = newVocabulary[partnercatalogv1.WorkMode]()
	employments        = newVocabulary[partnercatalogv1.Employment]()
	seniorities        = newVocabulary[partnercatalogv1.Seniority]()
	periods            = newVocabulary[partnercatalogv1.SalaryPeriod]()
	distributions      = newVocabulary[partnercatalogv1.Distribution]()
	candidateLocations = newVocabulary[partnercatalogv1.CandidateLocation]()
	experiences        = newVocabulary[partnercatalogv1.ExperienceYears]()
	languages          = newVocabulary[partnercatalogv1.LanguageRule]()
	workEligibilities  = newVocabulary[partnercatalogv1.WorkEligibility]()
	programmes         = newVocabulary[partnercatalogv1.Programme]()
	questionTypes      = newVocabulary[partnercatalogv1.QuestionType]()
	questionSources    = newVocabulary[partnercatalogv1.QuestionSource]()
	defaultQuestions   = newVocabulary[partnercatalogv1.DefaultQuestion]()
)
