package plot

import (
	"math"
	"strconv"
)

// scale maps counts from 0 to top to heights.
type scale struct {
	top    int64
	ticks  []int64
	height float64
}

// maxTicks is the maximum number of steps on an axis.
const maxTicks = 5

// newScale returns a scale that reaches the highest count. Its steps are 1, 2 or 5 times a power of
// ten, so people can interpolate between them.
func newScale(highest int64, height float64) scale {
	step := stepFor(max(highest, 1))
	s := scale{height: height}
	for at := int64(0); ; at += step {
		s.ticks = append(s.ticks, at)
		if s.top = at; at >= highest && at > 0 {
			return s
		}
	}
}

func stepFor(highest int64) int64 {
	for power := int64(1); power <= math.MaxInt64/100; power *= 10 {
		for _, times := range []int64{1, 2, 5} {
			if step := times * power; (highest+step-1)/step <= maxTicks {
				return step
			}
		}
	}
	return highest // a single step, for a count too large for the powers above
}

// length returns the height of n in the chart.
func (s scale) length(n int64) float64 { return round(float64(n) / float64(s.top) * s.height) }

// round rounds to two decimals, to keep the SVG short and readable.
func round(x float64) float64 { return math.Round(x*100) / 100 }

// Short formats a count for an axis: 1,200 becomes 1.2k, 3,000,000 becomes 3M.
func Short(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1_000_000_000, "G"}, {1_000_000, "M"}, {1_000, "k"}} {
		if n >= unit.size {
			return strconv.FormatFloat(math.Round(float64(n)/float64(unit.size)*10)/10, 'f', -1, 64) + unit.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// Grouped formats a count with commas between the thousands.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
