package console

import (
	"strconv"
	"time"
)

// spelled writes how long something took, with so many digits after the point: of ten seconds
// and more, of seconds, of ten milliseconds and more, and of less.
func spelled(d time.Duration, long, seconds, tens, less int) string {
	in := func(unit time.Duration, name string, digits int) string {
		return strconv.FormatFloat(float64(d)/float64(unit), 'f', digits, 64) + name
	}
	switch {
	case d >= 10*time.Second:
		return in(time.Second, " s", long)
	case d >= time.Second:
		return in(time.Second, " s", seconds)
	case d >= 10*time.Millisecond:
		return in(time.Millisecond, " ms", tens)
	}
	return in(time.Millisecond, " ms", less)
}

// measured writes the duration of a request.
func measured(d time.Duration) string { return spelled(d, 1, 2, 0, 1) }

// estimated writes a latency of many requests, which is not known as exactly
// (behaviour: usage#routes).
func estimated(d time.Duration) string { return spelled(d, 0, 1, 0, 1) }
