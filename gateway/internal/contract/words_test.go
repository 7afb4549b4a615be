package contract

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// The OpenAPI document has the words of all enums.
func TestWordsOmitThePrefix(t *testing.T) {
	for _, c := range []struct {
		enum protoreflect.EnumDescriptor
		want string
	}{
		{partnercatalogv1.JobStatus(0).Descriptor(), "draft active closed archived"},
		{partnercatalogv1.ExperienceYears(0).Descriptor(), "any 1_plus 3_plus 5_plus 7_plus 10_plus"},
		{partnercatalogv1.DefaultQuestion(0).Descriptor(), "education experience_years expected_salary availability"},
	} {
		w, err := WordsOf(c.enum)
		if err != nil || strings.Join(w.All, " ") != c.want || len(w.Number) != len(w.All) {
			t.Errorf("%s: %v, %v", c.enum.FullName(), w.All, err)
		}
	}
}
