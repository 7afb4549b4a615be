package template

import (
	"fmt"
	"strconv"
	"time"
)

// dateForms are the formats of a stored date (proto: Experience), most precise first.
var dateForms = []struct {
	layout     string
	month, day bool
}{
	{"2006-01-02", true, true},
	{"2006-01", true, false},
	{"2006", false, false},
}

// date formats a stored date, for example as "Mar 2021". It includes the day if the date has one and withDay
// is set. It returns a value that is not a date unchanged.
func (w *words) date(stored string, withDay bool) string {
	for _, f := range dateForms {
		t, err := time.Parse(f.layout, stored)
		if err != nil {
			continue
		}
		out := strconv.Itoa(t.Year())
		if f.month {
			out = w.months[t.Month()-1] + " " + out
		}
		if f.day && withDay {
			out = strconv.Itoa(t.Day()) + " " + out
		}
		return out
	}
	return stored
}

// period formats a period, for example as "Mar 2021 – Present", "2016 – 2020" or "2020". In Arabic, it uses
// words, as in "من 2016 إلى 2020". If there were only a dash between the numbers, half of all readers, and
// some programs, would read them in the wrong order.
func (w *words) period(start, end string, current bool) string {
	from, to := w.date(start, false), w.date(end, false)
	switch {
	case current && from == "":
		return w.Present
	case current:
		return fmt.Sprintf(w.Since, from)
	case from == "" || from == to:
		return to
	case to == "":
		return from
	}
	return fmt.Sprintf(w.Between, from, to)
}
