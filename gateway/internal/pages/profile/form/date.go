package form

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// longDate is longer, in bytes, than any date with a time of day and a time zone.
const longDate = 64

var (
	// yearFirst matches a date of any precision. A CV does not use a time of day after the date.
	yearFirst = regexp.MustCompile(`^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:[T ]\d\d?:.*)?$`)
	// monthYear matches 03/2019; dayMonthYear matches 17/05/1990 and 05/17/1990.
	monthYear    = regexp.MustCompile(`^(0?[1-9]|1[0-2])\s?[-/.]\s?(\d{4})$`)
	dayMonthYear = regexp.MustCompile(`^(\d{1,2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{4})$`)
)

// layouts are date formats that contain the name of a month, without commas.
var layouts = []struct{ layout, as string }{
	{"January 2006", "2006-01"}, {"Jan 2006", "2006-01"}, {"2 January 2006", time.DateOnly}, {"2 Jan 2006", time.DateOnly},
	{"January 2 2006", time.DateOnly}, {"Jan 2 2006", time.DateOnly},
}

var monthsInArabic = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"}

// arabicMonths maps Arabic month names to the English names that package time uses.
var arabicMonths = strings.NewReplacer(
	"يناير", "January", "فبراير", "February", "مارس", "March", "أبريل", "April", "ابريل", "April", "إبريل", "April", "مايو", "May", "يونيو", "June", "يونيه", "June",
	"يوليو", "July", "يوليه", "July", "أغسطس", "August", "اغسطس", "August", "سبتمبر", "September", "أكتوبر", "October", "اكتوبر", "October", "نوفمبر", "November", "ديسمبر", "December",
)

// DateOf converts a date as people write it, such as 2019-03, 03/2019, 17/05/1990 or March 2019, to the
// format of the contract. It returns any other text unchanged, including ambiguous dates such as 03/04/2019.
func DateOf(s string) string {
	if len(s) > longDate {
		return s
	}
	text := strings.TrimSpace(strings.Map(western, s))
	if m := yearFirst.FindStringSubmatch(text); m != nil {
		return joined(m[1], m[2], m[3])
	}
	if m := monthYear.FindStringSubmatch(text); m != nil {
		return joined(m[2], m[1], "")
	}
	if m := dayMonthYear.FindStringSubmatch(text); m != nil {
		first, _ := strconv.Atoi(m[1]) // two digits
		second, _ := strconv.Atoi(m[2])
		switch {
		case first > 12 && second <= 12, first == second:
			return joined(m[3], m[2], m[1])
		case first <= 12 && second > 12:
			return joined(m[3], m[1], m[2])
		}
		return s
	}
	text = arabicMonths.Replace(strings.Join(strings.Fields(strings.NewReplacer(",", " ", "،", " ").Replace(text)), " "))
	for _, one := range layouts {
		if t, err := time.Parse(one.layout, text); err == nil {
			return t.Format(one.as)
		}
	}
	return s
}

// formatDate is the inverse of DateOf: it formats a stored date like the form's hints, such as 03/2019 or
// 17/05/1990. If day and month could be confused, it spells out the month.
func formatDate(stored string, arabic bool) string {
	parts := strings.Split(stored, "-")
	slices.Reverse(parts)
	if text := strings.Join(parts, "/"); DateOf(text) == stored {
		return text
	}
	if text := InWords(stored, arabic); DateOf(text) == stored {
		return text
	}
	return stored
}

// InWords returns a stored date with the month's name in Arabic or English, such as 4 May 1990. It returns
// any other text unchanged.
func InWords(stored string, arabic bool) string {
	for _, one := range []struct{ layout, as string }{{"2006-01", ""}, {time.DateOnly, "2 "}} {
		if t, err := time.Parse(one.layout, stored); err == nil && arabic {
			return t.Format(one.as) + monthsInArabic[t.Month()-1] + t.Format(" 2006")
		} else if err == nil {
			return t.Format(one.as + "January 2006")
		}
	}
	return stored
}

// joined joins the parts of a date that are present, padding the month and day to two digits.
func joined(year, month, day string) string {
	for _, part := range []string{month, day} {
		if len(part) == 1 {
			part = "0" + part
		}
		if part != "" {
			year += "-" + part
		}
	}
	return year
}

// western converts Arabic digits to the digits used in stored dates.
func western(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return r - '٠' + '0'
	case r >= '۰' && r <= '۹':
		return r - '۰' + '0'
	case unicode.Is(unicode.Cf, r): // directional marks
		return -1
	}
	return r
}
