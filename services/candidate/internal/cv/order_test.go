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
		in   []*cv.Experience
		want string
	}{
		"by last day":                    {[]*cv.Experience{{Id: "a", EndDate: text("2019")}, {Id: "b", EndDate: text("2021")}, {Id: "c", EndDate: text("2020")}}, "b c a"},
		"current first":                  {[]*cv.Experience{{Id: "a", EndDate: text("2030")}, {Id: "b", Current: true, StartDate: text("2001")}}, "b a"},
		"current ones by first day":      {[]*cv.Experience{{Id: "a", Current: true, StartDate: text("2019")}, {Id: "b", Current: true, StartDate: text("2022")}, {Id: "c", Current: true}}, "b a c"},
		"a current one's last day":       {[]*cv.Experience{{Id: "a", Current: true, StartDate: text("2019"), EndDate: text("2030")}, {Id: "b", Current: true, StartDate: text("2022"), EndDate: text("2001")}}, "b a"},
		"then by first day":              {[]*cv.Experience{{Id: "a", StartDate: text("2018"), EndDate: text("2020")}, {Id: "b", StartDate: text("2019"), EndDate: text("2020")}}, "b a"},
		"unknown last days last":         {[]*cv.Experience{{Id: "a", StartDate: text("2029")}, {Id: "b", EndDate: text("2001")}, {Id: "c"}}, "b a c"},
		"years end after their months":   {[]*cv.Experience{{Id: "a", EndDate: text("2020-11")}, {Id: "b", EndDate: text("2020")}, {Id: "c", EndDate: text("2020-11-30")}, {Id: "d", EndDate: text("2021-01")}}, "d b a c"},
		"equal ones keep their order":    {[]*cv.Experience{{Id: "a"}, {Id: "b"}, {Id: "c"}}, "a b c"},
		"equal dates keep their order":   {[]*cv.Experience{{Id: "a", EndDate: text("2020")}, {Id: "b", EndDate: text("2020")}}, "a b"},
		"none is nothing, not a failure": {nil, ""},
	} {
		var got []string
		for _, e := range cv.ExperiencesByRecency(&cv.Content{Experiences: tc.in}) {
			got = append(got, e.GetId())
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s: %s, want %s", name, s, tc.want)
		}
	}
}

func TestEducationsAreMostRecentFirst(t *testing.T) {
	in := []*cv.Education{
		{Id: "unknown"},
		{Id: "school", StartDate: text("2005"), EndDate: text("2010")},
		{Id: "master", StartDate: text("2014"), EndDate: text("2016")},
		{Id: "bachelor", StartDate: text("2010"), EndDate: text("2014")},
		{Id: "doctorate", StartDate: text("2022")},
		{Id: "course", EndDate: text("2014")},
	}
	want := []string{"doctorate", "master", "bachelor", "course", "school", "unknown"}
	var got []string
	for _, e := range cv.EducationsByRecency(&cv.Content{Educations: in}) {
		got = append(got, e.GetId())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOrderingCopiesAllItems(t *testing.T) {
	date := rapid.SampledFrom([]string{"", "2019", "2019-05", "2019-05-06", "2020", "2021-01"})
	rapid.Check(t, func(t *rapid.T) {
		stored := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *cv.Experience {
			return &cv.Experience{
				Id: rapid.StringMatching(`[a-z]{6}`).Draw(t, "id"), StartDate: text(date.Draw(t, "start")),
				EndDate: text(date.Draw(t, "end")), Current: rapid.Bool().Draw(t, "current"),
			}
		}), 0, 8).Draw(t, "experiences")
		before := slices.Clone(stored)
		sorted := cv.ExperiencesByRecency(&cv.Content{Experiences: stored})
		again := cv.ExperiencesByRecency(&cv.Content{Experiences: sorted})
		ids := func(list []*cv.Experience) (out []string) {
			for _, e := range list {
				out = append(out, e.GetId())
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
