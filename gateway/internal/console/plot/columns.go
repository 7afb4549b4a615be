package plot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Columns describes a chart of stacked columns.
type Columns struct {
	// ID identifies the chart on its page. It consists of letters, digits and dashes.
	ID string
	// Name is the title of the image. Description is a sentence about it.
	Name, Description string
	// At lists the columns from left to right.
	At []Column
	// Series lists the layers of the columns from the bottom up.
	Series []Series
	// Limit is a line across the chart, or nil if there is none.
	Limit *Limit
}

// Column is a position on the time axis.
type Column struct {
	// Text is the name of the column, for example "Sunday, 22 November".
	Text string
	// Tick is the label under the axis. It is "" for most columns.
	Tick string
	// Link and LinkText are the URL and text of a link to what the column counts. Both are "" if
	// there is no link.
	Link, LinkText string
}

// Series is one layer of the columns.
type Series struct {
	Name string
	// Counts holds one count per column.
	Counts []int64
}

// Limit is a count that is drawn as a line.
type Limit struct {
	Name  string
	Count int64
}

// MaxSeries is the maximum number of layers that people can tell apart. The style sheet has a color
// for each.
const MaxSeries = 8

// Draw lays out the chart. A limit far above all columns is shown as text, because a line would
// make the columns almost flat.
func (c Columns) Draw() (Drawing, error) {
	if err := c.check(); err != nil {
		return Drawing{}, err
	}
	totals := c.totals()
	highest := slices.Max(totals)
	d := Drawing{ID: c.ID, Name: c.Name, Description: c.Description, Height: height, AxisY: height - bottom}
	if c.Limit != nil && c.Limit.Count <= highest*4 {
		highest = max(highest, c.Limit.Count)
	}
	s := newScale(highest, plotHeight)
	for _, tick := range s.ticks {
		d.Levels = append(d.Levels, Level{Y: d.AxisY - s.length(tick), Text: Short(tick)})
	}
	c.drawColumns(&d, s, totals)
	c.drawMarks(&d)
	if c.Limit != nil {
		text := fmt.Sprintf("%s: %s", c.Limit.Name, Grouped(c.Limit.Count))
		if c.Limit.Count <= s.top {
			y := d.AxisY - s.length(c.Limit.Count)
			d.Limit = &LimitLine{Y: y, LabelY: y - limitLabelAbove, Text: text}
		} else {
			d.Beyond = text
		}
	}
	for i, series := range c.Series {
		d.Legend = append(d.Legend, Entry{Shade: i, Name: series.Name, Texture: textures[i]})
	}
	return d, nil
}

func (c Columns) drawColumns(d *Drawing, s scale, totals []int64) {
	slot := c.slot()
	breadth := min(slot*(1-gapOfColumn), widestColumn)
	for i, at := range c.At {
		value := Value{
			Text: at.Text, Total: Grouped(totals[i]), Link: at.Link, LinkText: at.LinkText, Late: i >= len(c.At)/2, Last: i == len(c.At)-1,
		}
		base := d.AxisY
		for layer, series := range c.Series {
			n := series.Counts[i]
			if n == 0 {
				continue
			}
			long := max(s.length(n), leastHeight)
			base -= long
			d.Bars = append(d.Bars, Bar{
				X: round(float64(i)*slot + (slot-breadth)/2), Width: round(breadth), Y: round(base), Height: long, Shade: layer, Divided: long >= dividedHeight,
			})
			value.Lines = append(value.Lines, Line{Shade: layer, Name: series.Name, Count: Grouped(n)})
		}
		d.Values = append(d.Values, value)
	}
}

// drawMarks lays out the labels under the axis.
func (c Columns) drawMarks(d *Drawing) {
	for i, at := range c.At {
		if at.Tick != "" {
			mark := Mark{X: round((float64(i) + 0.5) * c.slot()), Text: at.Tick}
			if mark.X > endOfAxis { // a centered label would be cut off
				mark.X, mark.End = 100, true
			}
			d.Marks = append(d.Marks, mark)
		}
	}
	every := (len(d.Marks) + ticksOnPhones - 1) / ticksOnPhones
	for i := range d.Marks {
		d.Marks[i].Minor = i%every != 0
	}
}

// slot returns the width of a column including its gap, in percent.
func (c Columns) slot() float64 { return 100 / float64(len(c.At)) }

// MarkY returns the baseline of the labels under the axis.
func (d Drawing) MarkY() float64 { return d.AxisY + tickLabelDistance }

// MiddleOf returns the baseline of a level's label.
func (d Drawing) MiddleOf(y float64) float64 { return y + 4 }

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

// Top returns at most MaxSeries series. The largest comes first. If there are too many, the last
// one is the sum of all remaining series, and others is its name.
func Top(series []Series, others string) []Series {
	sum := func(s Series) (n int64) {
		for _, count := range s.Counts {
			n += count
		}
		return n
	}
	sorted := slices.Clone(series)
	slices.SortStableFunc(sorted, func(a, b Series) int {
		return cmp.Or(cmp.Compare(sum(b), sum(a)), cmp.Compare(a.Name, b.Name))
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
