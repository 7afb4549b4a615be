package cv

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/types/known/wrapperspb"
)

// ExperiencesByRecency returns the positions, most recent first (behaviour: sharing#order-of-entries).
// Current positions come first. The others are sorted by end date, then by start date. Unknown dates come
// last. The sort is stable.
func ExperiencesByRecency(c *Content) []*Experience {
	sorted := slices.Clone(c.GetExperiences())
	slices.SortStableFunc(sorted, func(a, b *Experience) int {
		byStart := byLatest(a.GetStartDate(), b.GetStartDate())
		switch {
		case a.GetCurrent() && b.GetCurrent():
			return byStart
		case a.GetCurrent():
			return -1
		case b.GetCurrent():
			return 1
		}
		return cmp.Or(byLatest(a.GetEndDate(), b.GetEndDate()), byStart)
	})
	return sorted
}

// EducationsByRecency returns the educations, most recent first. They are sorted by end date, or by start
// date if there is no end date. Educations without dates come last.
func EducationsByRecency(c *Content) []*Education {
	end := func(e *Education) *wrapperspb.StringValue {
		if e.GetEndDate().GetValue() == "" {
			return e.GetStartDate()
		}
		return e.GetEndDate()
	}
	sorted := slices.Clone(c.GetEducations())
	slices.SortStableFunc(sorted, func(a, b *Education) int {
		return cmp.Or(byLatest(end(a), end(b)), byLatest(a.GetStartDate(), b.GetStartDate()))
	})
	return sorted
}

// byLatest compares two dates of any precision so that the latest sorts first and unknown dates last. A date
// without a month or day counts as the end of its year or month.
func byLatest(a, b *wrapperspb.StringValue) int {
	return cmp.Compare(endOf(b.GetValue()), endOf(a.GetValue()))
}

func endOf(date string) string {
	if date == "" {
		return ""
	}
	const latest = "9999-99-99"
	return date + latest[min(len(date), len(latest)):]
}
