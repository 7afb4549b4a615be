package vocabulary_test

import (
	"testing"

	"vitae.internal/pkg/vocabulary"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestWordsAndValuesAreConverted(t *testing.T) {
	v := vocabulary.New[partnercatalogv1.WorkMode]()
	for value, word := range map[partnercatalogv1.WorkMode]string{
		partnercatalogv1.WorkMode_WORK_MODE_UNSPECIFIED: "",
		partnercatalogv1.WorkMode_WORK_MODE_ONSITE:      "onsite",
		partnercatalogv1.WorkMode_WORK_MODE_REMOTE:      "remote",
	} {
		if v.Word(value) != word || v.Value(word) != value {
			t.Errorf("Word(%v) = %q, Value(%q) = %v", value, v.Word(value), word, v.Value(word))
		}
	}
	if v.Word(99) != vocabulary.Unknown || v.Value("elsewhere") != 0 || v.Len() != 3 {
		t.Errorf("Word(99) = %q, Value(elsewhere) = %v, Len() = %d", v.Word(99), v.Value("elsewhere"), v.Len())
	}
	if v.Optional("") != nil || *v.Optional("remote") != partnercatalogv1.WorkMode_WORK_MODE_REMOTE {
		t.Error("Optional returned a wrong value")
	}
}
