package plot

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Columns is a chart of stacked columns.
type Columns struct {
	// ID names the chart in its page; letters, digits and dashes.
	ID string
	// Name is what the image is called, Description what it shows, in a sentence.
	Name, Description string
	// At are the columns, from left to right.
	At []Column
	// Series are the layers of every column, from the bottom up.
	Series []Series
	// Limit is a line across the chart; nil for none.
	Limit *Limit
}

// Column is a place on the time axis.
type Column struct {
	// Text is how the column is called where its values are told, for example
	// "Sunday, 22 November".
	Text string
	// Tick stands under the axis; empty for most columns.
	Tick string
	// Link is the address of what the column counts; empty for none.
	Link string
}

// Series is one layer.
type Series struct {
	Name string
	// Counts has a count for each column.
	Counts []int64
}

// Limit is a count that is not to be passed.
type Limit struct {
	Name  string
	Count int64
}

// MaxSeries is how many layers the eye can tell apart. The style has a colour for each.
const MaxSeries = 8

// The size of the image in its own units, and the room for the axes.
const (
	width, height     = 720, 240
	left, right       = 48, 8
	top, bottom       = 12, 28
	plotWidth         = width - left - right
	plotHeight        = height - top - bottom
	limitLabelAbove   = 6
	gapOfColumn       = 0.24 // of a column's width
	widestColumn      = 28
	tickLabelDistance = 18
)

// Drawing is a laid out chart, as the template draws it.
type Drawing struct {
	ID, Name, Description string
	Width, Height         int
	// AxisX is where the vertical axis ends on the right and the columns begin, AxisY the
	// height of the horizontal axis, EndX the right end of both.
	AxisX, AxisY, EndX float64
	Ticks              []Tick
	Bars               []Bar
	Limit              *LimitLine
	Legend             []Entry
	Values             []Value
}

// Tick is a label on an axis, and the line that goes with it.
type Tick struct {
	X, Y float64
	Text string
	// Horizontal ticks stand under the columns.
	Horizontal bool
}

// Bar is a layer of a column.
type Bar struct {
	X, Y, Width, Height float64
	// Shade is the layer's number.
	Shade int
}

// LimitLine is the line of a limit.
type LimitLine struct {
	Y, LabelY float64
	Text      string
}

// Entry explains a layer.
type Entry struct {
	Shade int
	Name  string
}

// Value is what a column says of itself.
type Value struct {
	Link, Title string
	Lines       []string
}

// Draw lays the chart out. A limit far above all columns is told beside the chart and not
// drawn, because the columns would be flat.
func (c Columns) Draw() (Drawing, error) {
	if err := c.check(); err != nil {
		return Drawing{}, err
	}
	totals := c.totals()
	highest := slices.Max(append(totals, 0))
	d := Drawing{
		ID: c.ID, Name: c.Name, Description: c.Description, Width: width, Height: height,
		AxisX: left, AxisY: height - bottom, EndX: width - right,
	}
	if c.Limit != nil && c.Limit.Count <= highest*4 {
		highest = max(highest, c.Limit.Count)
	}
	s := newScale(highest, plotHeight)
	for _, tick := range s.ticks {
		d.Ticks = append(d.Ticks, Tick{X: left, Y: d.AxisY - s.length(tick), Text: Short(tick)})
	}
	c.drawColumns(&d, s, totals)
	if c.Limit != nil && c.Limit.Count <= s.top {
		y := d.AxisY - s.length(c.Limit.Count)
		d.Limit = &LimitLine{Y: y, LabelY: max(y-limitLabelAbove, top), Text: fmt.Sprintf("%s: %s", c.Limit.Name, Grouped(c.Limit.Count))}
	}
	for i, series := range c.Series {
		d.Legend = append(d.Legend, Entry{Shade: i, Name: series.Name})
	}
	return d, nil
}

func (c Columns) drawColumns(d *Drawing, s scale, totals []int64) {
	slot := float64(plotWidth) / float64(max(len(c.At), 1))
	breadth := min(slot*(1-gapOfColumn), widestColumn)
	for i, at := range c.At {
		x := float64(left) + float64(i)*slot
		value := Value{Link: at.Link, Title: fmt.Sprintf("%s: %s", at.Text, Grouped(totals[i]))}
		base := d.AxisY
		for layer, series := range c.Series {
			n := series.Counts[i]
			if n == 0 {
				continue
			}
			long := s.length(n)
			base -= long
			d.Bars = append(d.Bars, Bar{X: round(x + (slot-breadth)/2), Y: round(base), Width: round(breadth), Height: long, Shade: layer})
			value.Lines = append(value.Lines, fmt.Sprintf("%s: %s", series.Name, Grouped(n)))
		}
		d.Values = append(d.Values, value)
		if at.Tick != "" {
			d.Ticks = append(d.Ticks, Tick{X: round(x + slot/2), Y: d.AxisY + tickLabelDistance, Text: at.Tick, Horizontal: true})
		}
	}
}

func (c Columns) check() error {
	if c.ID == "" || strings.Trim(c.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || c.Name == "" || c.Description == "" {
		return errors.New("plot: a chart needs an id of letters, digits and dashes, a name and a description")
	}
	if len(c.At) == 0 || len(c.Series) == 0 || len(c.Series) > MaxSeries {
		return fmt.Errorf("plot: %s has %d columns and %d series", c.ID, len(c.At), len(c.Series))
	}
	for _, series := range c.Series {
		if len(series.Counts) != len(c.At) || slices.Min(series.Counts) < 0 {
			return fmt.Errorf("plot: %s: the series %q does not have a count for each of %d columns", c.ID, series.Name, len(c.At))
		}
	}
	return nil
}

func (c Columns) totals() []int64 {
	totals := make([]int64, len(c.At))
	for _, series := range c.Series {
		for i, n := range series.Counts {
			totals[i] += n
		}
	}
	return totals
}

// Top gives at most MaxSeries series: the largest ones, largest first, and the sum of the
// others under the given name.
func Top(series []Series, others string) []Series {
	sum := func(s Series) (n int64) {
		for _, count := range s.Counts {
			n += count
		}
		return n
	}
	sorted := slices.Clone(series)
	slices.SortStableFunc(sorted, func(a, b Series) int {
		if x, y := sum(a), sum(b); x != y {
			if x > y {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	if len(sorted) <= MaxSeries {
		return sorted
	}
	rest := Series{Name: others, Counts: make([]int64, len(sorted[0].Counts))}
	for _, s := range sorted[MaxSeries-1:] {
		for i, n := range s.Counts {
			rest.Counts[i] += n
		}
	}
	return append(sorted[:MaxSeries-1:MaxSeries-1], rest)
}
