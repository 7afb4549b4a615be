package cv

import (
	"cmp"
	"slices"
)

// ExperiencesByRecency returns the positions, most recent first
// (behaviour: sharing#order-of-entries): current ones, then by end date, then by start date.
// Unknown dates are last. The sort is stable.
func (c Content) ExperiencesByRecency() []Experience {
	sorted := slices.Clone(c.Experiences)
	slices.SortStableFunc(sorted, func(a, b Experience) int {
		if a.Current != b.Current {
			if a.Current {
				return -1
			}
			return 1
		}
		if a.Current {
			return later(a.StartDate, b.StartDate)
		}
		return cmp.Or(later(a.EndDate, b.EndDate), later(a.StartDate, b.StartDate))
	})
	return sorted
}

// EducationsByRecency returns the educations, most recent first: by end date, or by start date
// without one. Those without dates are last.
func (c Content) EducationsByRecency() []Education {
	sorted := slices.Clone(c.Educations)
	slices.SortStableFunc(sorted, func(a, b Education) int {
		return cmp.Or(
			later(cmp.Or(a.EndDate, a.StartDate), cmp.Or(b.EndDate, b.StartDate)),
			later(a.StartDate, b.StartDate),
		)
	})
	return sorted
}

// later compares dates of any precision for a sort with the latest first and unknown ones last.
// A date without month or day counts as the end of its year or month.
func later(a, b string) int {
	return cmp.Compare(endOf(b), endOf(a))
}

func endOf(date string) string {
	if date == "" {
		return ""
	}
	const latest = "9999-99-99"
	return date + latest[min(len(date), len(latest)):]
}
