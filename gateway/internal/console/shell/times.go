package shell

import (
	"html/template"
	"strconv"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/web"
)

// NoDay is the error message for a date field that does not contain a date.
const NoDay = "Enter a day as YYYY-MM-DD."

const noMoment = "Enter a day such as 2026-03-01, or a time in UTC such as 2026-03-01T12:00."

// momentForms are the accepted time formats. Times without an offset are interpreted as UTC.
var momentForms = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.RFC3339}

// MomentOf parses a time or a day. For a day, it returns the beginning, or the end if end is set.
func MomentOf(text string, end bool) (at time.Time, ok bool) {
	for _, form := range momentForms {
		if at, err := time.Parse(form, text); err == nil && storable(at) {
			return at.UTC(), true
		}
	}
	at, err := time.Parse(time.DateOnly, text)
	if end {
		at = at.AddDate(0, 0, 1)
	}
	return at, err == nil && storable(at)
}

// EndOf parses a day and returns its end in UTC.
func EndOf(day string) (time.Time, error) {
	at, err := time.Parse(time.DateOnly, day)
	return at.AddDate(0, 0, 1), err
}

// storable reports whether protobuf can represent the time. Its year must be between 1 and 9999.
func storable(at time.Time) bool { return timestamppb.New(at).CheckValid() == nil }

// Timespan holds the values of a filter's controls "from" and "to".
type Timespan struct{ From, To string }

// Read returns the inclusive start and the exclusive end. Each is nil if its control is empty.
func (s Timespan) Read() (from, to *timestamppb.Timestamp, faults []web.Fault) {
	for _, end := range []struct {
		control, text string
		into          **timestamppb.Timestamp
	}{{"from", s.From, &from}, {"to", s.To, &to}} {
		if end.text == "" {
			continue
		}
		at, ok := MomentOf(end.text, end.control == "to")
		if !ok {
			faults = append(faults, FaultAt(end.control, noMoment)...)
			continue
		}
		*end.into = timestamppb.New(at)
	}
	return from, to, faults
}

// Controls returns the two time inputs.
func (s Timespan) Controls() (from, to TimeInput) {
	return timeInput(s.From, false), timeInput(s.To, true)
}

// TimeInput describes a form control for a time. Type is an option of the template "input".
type TimeInput struct{ Value, Type string }

// timeInput returns a text input if the time is invalid, because a browser would clear a
// datetime-local input.
func timeInput(text string, end bool) TimeInput {
	const control = "type=datetime-local"
	if text == "" {
		return TimeInput{"", control}
	}
	at, ok := MomentOf(text, end)
	if !ok {
		return TimeInput{text, "type=text"}
	}
	return TimeInput{at.Format("2006-01-02T15:04:05"), control}
}

// Stamp formats a time in such a way that the strings sort chronologically.
func Stamp(t time.Time) string { return t.UTC().Format(stampLayout) }

// timeElement returns a time element. Its datetime attribute and its text are in UTC.
func timeElement(t time.Time, datetime, text string) template.HTML {
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(datetime) + `">` + t.Format(text) + "</time>") //nolint:gosec // the arguments contain only digits and month names
}

const stampLayout = "2006-01-02T15:04:05.000000Z"

// Instant formats a time to the millisecond. The page's script sorts rows by its datetime
// attribute.
func Instant(t time.Time) template.HTML { return timeElement(t, stampLayout, "2 Jan 15:04:05.000") }

// dated formats a time as Instant does, but includes the year.
func dated(t time.Time) template.HTML { return timeElement(t, stampLayout, "2 Jan 2006 15:04:05.000") }

// moment formats a time to the minute.
func moment(t time.Time) template.HTML { return everElement(t, time.RFC3339, "2 Jan 2006, 15:04 UTC") }

// Date formats the day of a time.
func Date(t time.Time) template.HTML { return everElement(t, time.DateOnly, "2 Jan 2006") }

// everElement returns a time element, or "never" if the time is not set.
func everElement(t time.Time, datetime, text string) template.HTML {
	if t.IsZero() || t.Unix() == 0 {
		return "never"
	}
	return timeElement(t, datetime, text)
}

// clockTime formats the time of day to the second.
func clockTime(t time.Time) template.HTML {
	if t.UTC().Format(time.TimeOnly) == "00:00:00" {
		return timeElement(t, time.RFC3339, "midnight UTC")
	}
	return timeElement(t, time.RFC3339, "15:04:05 UTC")
}

// Measured formats the duration of a request.
func Measured(d time.Duration) string { return spelled(d, 1, 2) }

// Estimated formats a latency that was computed from many requests and is therefore less exact
// (behaviour: usage#routes).
func Estimated(d time.Duration) string { return spelled(d, 0, 1) }

// spelled formats a duration. From ten seconds, it writes long decimal places; from one second, it
// writes seconds decimal places.
func spelled(d time.Duration, long, seconds int) string {
	in := func(unit time.Duration, name string, digits int) string {
		return strconv.FormatFloat(float64(d)/float64(unit), 'f', digits, 64) + name
	}
	switch {
	case d >= 10*time.Second:
		return in(time.Second, " s", long)
	case d >= time.Second:
		return in(time.Second, " s", seconds)
	case d >= 10*time.Millisecond:
		return in(time.Millisecond, " ms", 0)
	}
	return in(time.Millisecond, " ms", 1)
}
