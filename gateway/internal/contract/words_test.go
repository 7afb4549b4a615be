package contract

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestEnumsHaveSpecifiedWords(t *testing.T) {
	for _, c := range []struct {
		enum protoreflect.EnumDescriptor
		want string
	}{
		{partnercatalogv1.JobStatus(0).Descriptor(), "draft active closed archived"},
		{partnercatalogv1.SaveAs(0).Descriptor(), "draft live"},
		{partnercatalogv1.WorkMode(0).Descriptor(), "onsite hybrid remote"},
		{partnercatalogv1.Employment(0).Descriptor(), "full_time part_time contract internship"},
		{partnercatalogv1.Seniority(0).Descriptor(), "entry mid senior lead executive"},
		{partnercatalogv1.SalaryPeriod(0).Descriptor(), "monthly yearly"},
		{partnercatalogv1.Distribution(0).Descriptor(), "tabbio_and_company tabbio_only company_page_only hidden"},
		{partnercatalogv1.CandidateLocation(0).Descriptor(), "any in_country in_city in_region open_to_relocation uae dubai abu_dhabi gcc uae_relocation"},
		{partnercatalogv1.ExperienceYears(0).Descriptor(), "any 1_plus 3_plus 5_plus 7_plus 10_plus"},
		{partnercatalogv1.LanguageRule(0).Descriptor(), "any english arabic english_and_arabic english_or_arabic"},
		{partnercatalogv1.WorkEligibility(0).Descriptor(), "any eligible eligible_or_sponsorship sponsorship_required"},
		{partnercatalogv1.Programme(0).Descriptor(), "none emirati saudi qatari kuwaiti bahraini omani gcc other emiratisation saudization"},
		{partnercatalogv1.QuestionType(0).Descriptor(), "yes_no multiple_choice short_answer long_answer number"},
		{partnercatalogv1.QuestionSource(0).Descriptor(), "default custom"},
		{partnercatalogv1.DefaultQuestion(0).Descriptor(), "education experience_years expected_salary availability"},
		{candidatev1.ApplicationStatus(0).Descriptor(), "applied reviewed shortlisted interview offered rejected withdrawn"},
		{candidatev1.ApplicationSource(0).Descriptor(), "tabbio_app public_page public_new_user"},
	} {
		w, err := WordsOf(c.enum)
		if err != nil || strings.Join(w.All, " ") != c.want || len(w.Number) != len(w.All) {
			t.Errorf("%s: %v, %v", c.enum.FullName(), w.All, err)
		}
	}
}
