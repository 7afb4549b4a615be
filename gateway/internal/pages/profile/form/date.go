package form

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// longDate is more than any date with a time of day and a time zone, in bytes.
const longDate = 64

var (
	// yearFirst is a date of any precision. A CV has no use for a time of day after it.
	yearFirst = regexp.MustCompile(`^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:[T ]\d.*)?$`)
	// monthYear is 03/2019, dayMonthYear 17/05/1990 or 05/17/1990.
	monthYear    = regexp.MustCompile(`^(0?[1-9]|1[0-2])\s?[-/.]\s?(\d{4})$`)
	dayMonthYear = regexp.MustCompile(`^(\d{1,2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{4})$`)
)

// layouts are those of dates with the name of a month, without commas.
var layouts = []struct{ layout, as string }{
	{"January 2006", "2006-01"}, {"Jan 2006", "2006-01"}, {"2 January 2006", time.DateOnly}, {"2 Jan 2006", time.DateOnly},
	{"January 2 2006", time.DateOnly}, {"Jan 2 2006", time.DateOnly},
}

var monthsInArabic = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"}

// arabicMonths has the names of the months in Arabic, and those of package time.
var arabicMonths = strings.NewReplacer(
	"يناير", "January", "فبراير", "February", "مارس", "March", "أبريل", "April", "ابريل", "April", "إبريل", "April", "مايو", "May", "يونيو", "June", "يونيه", "June",
	"يوليو", "July", "يوليه", "July", "أغسطس", "August", "اغسطس", "August", "سبتمبر", "September", "أكتوبر", "October", "اكتوبر", "October", "نوفمبر", "November", "ديسمبر", "December",
)

// DateOf returns a date in the form of the contract, as people write it: 2019-03, 03/2019, 17/05/1990, March 2019.
// Any other text stays as it is, also 03/04/2019, which is one date to some and another to
// others.
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

// written is the inverse of DateOf: it returns a stored date as the hints of the form write dates,
// 03/2019 or 17/05/1990. Where the day and the month could be confused, the month is a word.
func written(stored string, arabic bool) string {
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

// InWords returns a stored date with the name of its month in Arabic or English: 4 May 1990. Any other
// text stays as it is.
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

// joined joins the parts of a date that are there, with two digits for a month and a day.
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

// western turns Arabic digits into those that a date has.
func western(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return r - '٠' + '0'
	case r >= '۰' && r <= '۹':
		return r - '۰' + '0'
	case unicode.Is(unicode.Cf, r): // marks of direction
		return -1
	}
	return r
}
