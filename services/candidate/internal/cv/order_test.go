package cv_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vitae.internal/services/candidate/internal/cv"
)

func TestExperiencesAreMostRecentFirst(t *testing.T) {
	for name, tc := range map[string]struct {
		in   []cv.Experience
		want string
	}{
		"by last day":                    {[]cv.Experience{{ID: "a", EndDate: "2019"}, {ID: "b", EndDate: "2021"}, {ID: "c", EndDate: "2020"}}, "b c a"},
		"current first":                  {[]cv.Experience{{ID: "a", EndDate: "2030"}, {ID: "b", Current: true, StartDate: "2001"}}, "b a"},
		"current ones by first day":      {[]cv.Experience{{ID: "a", Current: true, StartDate: "2019"}, {ID: "b", Current: true, StartDate: "2022"}, {ID: "c", Current: true}}, "b a c"},
		"a current one's last day":       {[]cv.Experience{{ID: "a", Current: true, StartDate: "2019", EndDate: "2030"}, {ID: "b", Current: true, StartDate: "2022", EndDate: "2001"}}, "b a"},
		"then by first day":              {[]cv.Experience{{ID: "a", StartDate: "2018", EndDate: "2020"}, {ID: "b", StartDate: "2019", EndDate: "2020"}}, "b a"},
		"unknown last days last":         {[]cv.Experience{{ID: "a", StartDate: "2029"}, {ID: "b", EndDate: "2001"}, {ID: "c"}}, "b a c"},
		"years end after their months":   {[]cv.Experience{{ID: "a", EndDate: "2020-11"}, {ID: "b", EndDate: "2020"}, {ID: "c", EndDate: "2020-11-30"}, {ID: "d", EndDate: "2021-01"}}, "d b a c"},
		"equal ones keep their order":    {[]cv.Experience{{ID: "a"}, {ID: "b"}, {ID: "c"}}, "a b c"},
		"equal dates keep their order":   {[]cv.Experience{{ID: "a", EndDate: "2020"}, {ID: "b", EndDate: "2020"}}, "a b"},
		"none is nothing, not a failure": {nil, ""},
	} {
		var got []string
		for _, e := range (cv.Content{Experiences: tc.in}).ExperiencesByRecency() {
			got = append(got, e.ID)
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s: %s, want %s", name, s, tc.want)
		}
	}
}

func TestEducationsAreMostRecentFirst(t *testing.T) {
	in := []cv.Education{
		{ID: "unknown"},
		{ID: "school", StartDate: "2005", EndDate: "2010"},
		{ID: "master", StartDate: "2014", EndDate: "2016"},
		{ID: "bachelor", StartDate: "2010", EndDate: "2014"},
		{ID: "doctorate", StartDate: "2022"},
		{ID: "course", EndDate: "2014"},
	}
	want := []string{"doctorate", "master", "bachelor", "course", "school", "unknown"}
	var got []string
	for _, e := range (cv.Content{Educations: in}).EducationsByRecency() {
		got = append(got, e.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOrderingCopiesAllItems(t *testing.T) {
	date := rapid.SampledFrom([]string{"", "2019", "2019-05", "2019-05-06", "2020", "2021-01"})
	rapid.Check(t, func(t *rapid.T) {
		stored := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cv.Experience {
			return cv.Experience{
				ID: rapid.StringMatching(`[a-z]{6}`).Draw(t, "id"), StartDate: date.Draw(t, "start"),
				EndDate: date.Draw(t, "end"), Current: rapid.Bool().Draw(t, "current"),
			}
		}), 0, 8).Draw(t, "experiences")
		before := slices.Clone(stored)
		sorted := cv.Content{Experiences: stored}.ExperiencesByRecency()
		again := cv.Content{Experiences: sorted}.ExperiencesByRecency()
		ids := func(list []cv.Experience) (out []string) {
			for _, e := range list {
				out = append(out, e.ID)
			}
			return out
		}
		if !slices.Equal(ids(stored), ids(before)) {
			t.Fatal("the stored list was reordered")
		}
		if !slices.Equal(ids(sorted), ids(again)) {
			t.Fatal("an ordered list changes when ordered again")
		}
		a, b := ids(sorted), ids(stored)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Fatalf("ordering %v returned %v", b, a)
		}
	})
}
