package console

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/web"
)

const (
	// noDay is what a date field is told that holds no date, noMoment the same of a time.
	noDay    = "Enter a day as YYYY-MM-DD."
	noMoment = "Enter a day such as 2026-03-01, or a time in UTC such as 2026-03-01T12:00."
)

// momentForms are the ways to write a time, which is in UTC if it does not say otherwise.
var momentForms = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.RFC3339}

// momentOf reads a time, or a day, of which it gives the beginning or the end.
func momentOf(text string, end bool) (at time.Time, ok bool) {
	for _, form := range momentForms {
		if at, err := time.Parse(form, text); err == nil && storable(at) {
			return at.UTC(), true
		}
	}
	begin, err := time.Parse(time.DateOnly, text)
	if at = begin; end {
		at = begin.AddDate(0, 0, 1)
	}
	return at, err == nil && storable(at)
}

// endOf is the end of a day that a form names, in UTC.
func endOf(day string) (time.Time, error) {
	at, err := time.Parse(time.DateOnly, day)
	return at.AddDate(0, 0, 1), err
}

// storable reports whether a time can be sent: protobuf knows none before the year 1 or
// after 9999.
func storable(at time.Time) bool { return timestamppb.New(at).CheckValid() == nil }

// timespan is what the controls "from" and "to" of a filter hold, as it was written.
type timespan struct{ From, To string }

// read gives the first moment and the one after the last, nil where none is named, and what
// is wrong with them.
func (s timespan) read() (from, to *timestamppb.Timestamp, faults []web.Fault) {
	for _, end := range []struct {
		control, text string
		into          **timestamppb.Timestamp
	}{{"from", s.From, &from}, {"to", s.To, &to}} {
		if end.text == "" {
			continue
		}
		at, ok := momentOf(end.text, end.control == "to")
		if !ok {
			faults = append(faults, faultAt(end.control, noMoment)...)
			continue
		}
		*end.into = timestamppb.New(at)
	}
	return from, to, faults
}

// controls are the two as their controls take them.
func (s timespan) controls() (from, to timeInput) {
	from.Value, from.Type = momentField(s.From, false)
	to.Value, to.Type = momentField(s.To, true)
	return from, to
}

// timeInput is a time in a form.
type timeInput struct{ Value, Type string }

// momentField is a time as its control takes it, and the option of the control's type. A
// browser empties a control for times that does not hold one, so a text that is none
// is given to a control for texts.
func momentField(text string, end bool) (value, kind string) {
	const control = "type=datetime-local"
	if text == "" {
		return "", control
	}
	at, ok := momentOf(text, end)
	if !ok {
		return text, "type=text"
	}
	return at.Format("2006-01-02T15:04:05"), control
}

// stamp writes a time so that texts are in the order of the times.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
