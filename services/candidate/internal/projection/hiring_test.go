package projection_test

import (
	"slices"
	"testing"

	"vitae.internal/services/candidate/internal/canarytest"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/projection"
)

// A new field must not be shown until it is listed here.
func TestEmployersSeeOnlyListedFields(t *testing.T) {
	content := &cv.Content{}
	all := slices.Compact(slices.Sorted(slices.Values(canarytest.Fill(content, bird))))
	// canary makes every position current, so none has an end date.
	never := []string{"Location", "Socials", "Experiences.EndDate"}
	profileOnly := []string{"About", "Bio", "Interests"}
	cvOnly := []string{"Summary", "Languages", "SkillGroups.Category"}
	but := func(paths ...string) (left []string) {
		for _, path := range all {
			if !slices.Contains(paths, path) {
				left = append(left, path)
			}
		}
		return left
	}
	if got, want := shownIn(projection.ShowProfile(content), all), but(slices.Concat(never, cvOnly)...); !slices.Equal(got, want) {
		t.Errorf("the profile shows %v, want %v", got, want)
	}
	if got, want := shownIn(projection.ShowCv(content), all), but(slices.Concat(never, profileOnly)...); !slices.Equal(got, want) {
		t.Errorf("a CV shows %v, want %v", got, want)
	}
}

func TestSectionTitlesInBothLanguages(t *testing.T) {
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
