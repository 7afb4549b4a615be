package format

import (
	"time"

	"vitae.internal/pkg/fault"
)

// dateLayouts maps the length of a date in a CV to the layout of a date with that precision.
var dateLayouts = map[int]string{4: "2006", 7: "2006-01", 10: time.DateOnly}

// Date checks that s is empty, or a date in the form YYYY, YYYY-MM or YYYY-MM-DD that exists in the
// calendar. It reports whether s is such a date.
func Date(faults *fault.List, path, s string) bool {
	if s == "" {
		return false
	}
	if !isDate(s, dateLayouts[len(s)]) {
		faults.Add(path, "must be a date of the calendar, YYYY, YYYY-MM or YYYY-MM-DD")
		return false
	}
	return true
}

// Day checks that s is empty, or a date in the form YYYY-MM-DD that exists in the calendar.
func Day(faults *fault.List, path, s string) {
	if s != "" && !isDate(s, time.DateOnly) {
		faults.Add(path, "must be a date of the calendar, YYYY-MM-DD")
	}
}

func isDate(s, layout string) bool {
	if layout == "" {
		return false
	}
	t, err := time.Parse(layout, s)
	// Package time accepts the year 0, which does not exist in the calendar.
	return err == nil && t.Year() > 0
}

// Period checks two dates, and checks that the first is not after the second. It compares them at
// their common precision, so 2020-05 to 2020 is a valid period.
func Period(faults *fault.List, startPath, start, endPath, end string) {
	hasStart, hasEnd := Date(faults, startPath, start), Date(faults, endPath, end)
	if !hasStart || !hasEnd {
		return
	}
	shared := min(len(start), len(end))
	if start[:shared] > end[:shared] {
		faults.Add(endPath, "must not be before the start date")
	}
}
