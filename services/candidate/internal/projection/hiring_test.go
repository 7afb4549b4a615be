package projection_test

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/services/candidate/internal/canarytest"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/projection"
)

// Only the listed sections may be shown; fields of other sections, including new ones, must stay hidden.
func TestEmployersSeeOnlyListedSections(t *testing.T) {
	t.Parallel()
	content := &cv.Content{}
	all := slices.Compact(slices.Sorted(slices.Values(canarytest.Fill(content, canaryAt))))
	in := func(sections ...string) (listed []string) {
		for _, path := range all {
			section, _, _ := strings.Cut(path, ".")
			// canarytest makes every position current, so none has an end date.
			if slices.Contains(sections, section) && path != "Experiences.EndDate" {
				listed = append(listed, path)
			}
		}
		return listed
	}
	both := []string{"Skills", "SkillGroups", "Experiences", "Educations", "Certifications", "Highlights", "Projects"}
	wantProfile := slices.DeleteFunc(in(append(both, "About", "Bio", "Interests")...), func(path string) bool { return path == "SkillGroups.Category" })
	if got := shownIn(projection.ShowProfile(content), all); !slices.Equal(got, wantProfile) {
		t.Errorf("the profile shows %v, want %v", got, wantProfile)
	}
	if got, want := shownIn(projection.ShowCv(content), all), in(append(both, "Summary", "Languages")...); !slices.Equal(got, want) {
		t.Errorf("a CV shows %v, want %v", got, want)
	}
}

func TestSectionTitlesExistInBothLanguages(t *testing.T) {
	for language, script := range map[string]string{"en": "text", "ar": "نص"} {
		content := &cv.Content{}
		canarytest.Fill(content, func(string) string { return script })
		sections := projection.ShowCv(content).Sections
		if len(sections) != 8 {
			t.Errorf("%s: %d sections", language, len(sections))
		}
		seen := map[string]bool{}
		for _, section := range sections {
			if section.Title == "" || seen[section.Title] || (section.Title[0] > 0x7f) != (language == "ar") {
				t.Errorf("%s: %s is titled %q", language, section.Kind, section.Title)
			}
			seen[section.Title] = true
		}
	}
}
