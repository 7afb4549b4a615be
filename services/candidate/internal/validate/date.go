package validate

import "time"

// dateLayouts are the precisions of a date in a CV, by length.
var dateLayouts = map[int]string{4: "2006", 7: "2006-01", 10: time.DateOnly}

// Date checks that s, if not empty, is YYYY, YYYY-MM or YYYY-MM-DD and exists in
// the calendar. It reports whether s is a date.
func (f *Fields) Date(path, s string) bool {
	if s == "" {
		return false
	}
	if !isDate(s, dateLayouts[len(s)]) {
		f.Fail(path, "must be a date of the calendar, YYYY, YYYY-MM or YYYY-MM-DD")
		return false
	}
	return true
}

// Day checks that s, if not empty, is YYYY-MM-DD and exists in the calendar.
func (f *Fields) Day(path, s string) {
	if s != "" && !isDate(s, time.DateOnly) {
		f.Fail(path, "must be a date of the calendar, YYYY-MM-DD")
	}
}

func isDate(s, layout string) bool {
	if layout == "" {
		return false
	}
	t, err := time.Parse(layout, s)
	// Time of the year 0 parses, but the calendar has no such year.
	return err == nil && t.Year() > 0
}

// Period checks two dates, and that the first is not after the second as far as
// both are precise: 2020-05 to 2020 is a period.
func (f *Fields) Period(startPath, start, endPath, end string) {
	hasStart, hasEnd := f.Date(startPath, start), f.Date(endPath, end)
	if !hasStart || !hasEnd {
		return
	}
	shared := min(len(start), len(end))
	if start[:shared] > end[:shared] {
		f.Fail(endPath, "must not be before the start date")
	}
}
