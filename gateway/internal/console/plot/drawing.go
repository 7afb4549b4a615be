package plot

// Heights are in CSS pixels. Horizontal positions are in percent, so columns become narrower on a
// narrow screen while the text remains readable.
const (
	height            = 256
	top, bottom       = 20, 28
	plotHeight        = height - top - bottom
	limitLabelAbove   = 6
	gapOfColumn       = 0.24 // as a fraction of the column's width
	widestColumn      = 8.0  // percent
	tickLabelDistance = 20
	leastHeight       = 1.5 // for a count above zero
	dividedHeight     = 4   // minimum height of a layer that is separated from the next by a line
	ticksOnPhones     = 5
	endOfAxis         = 95.0 // percent
)

// Drawing is a laid-out chart for the template.
type Drawing struct {
	ID, Name, Description string
	// Height is the height of the image. AxisY is the position of the horizontal axis.
	Height int
	AxisY  float64
	Levels []Level
	Marks  []Mark
	Bars   []Bar
	Limit  *LimitLine
	// Beyond is the text of a limit that is too high to be drawn, or "" if there is none.
	Beyond string
	Legend []Entry
	Values []Value
}

// Level is a labeled count on the vertical axis.
type Level struct {
	Y    float64
	Text string
}

// Mark is a label under the horizontal axis, X percent from the left. Narrow screens omit minor
// labels. The label ends at X if End is set; otherwise, it is centered on X.
type Mark struct {
	X          float64
	Text       string
	Minor, End bool
}

// Bar is the part of a column that belongs to one layer. X and Width are in percent, Y and Height
// in pixels.
type Bar struct {
	X, Width, Y, Height float64
	// Shade is the index of the layer.
	Shade int
	// Divided reports whether the bar is tall enough for a line that separates it from the next
	// bar.
	Divided bool
}

// LimitLine is the line that shows a limit.
type LimitLine struct {
	Y, LabelY float64
	Text      string
}

// Entry is a layer's entry in the legend.
type Entry struct {
	Shade int
	Name  string
	// Texture is an SVG path that is drawn over the layer's color in tiles of eight by eight
	// pixels.
	Texture string
}

// Value is the text shown for a column.
type Value struct {
	Text, Total    string
	Lines          []Line
	Link, LinkText string
	// Late reports whether the column is in the right half of the chart, in which case its text is
	// displayed to its left.
	Late bool
	Last bool
}

// Line is the count of one layer in a column.
type Line struct {
	Shade       int
	Name, Count string
}

// Sentence returns the value as text for screen readers.
func (v Value) Sentence() string {
	out := v.Text + ": " + v.Total + "."
	for _, line := range v.Lines {
		out += " " + line.Name + ": " + line.Count + "."
	}
	return out
}

// textures distinguish the layers without relying on color. The first layer has no texture, because
// most charts have only one layer. The last one, which is the sum of the smallest series, has none
// either.
var textures = [MaxSeries]string{
	1: "M-2 2l4-4M0 8l8-8M6 10l4-4",
	2: "M2 2h.01M6 6h.01",
	3: "M-2 6l4 4M0 0l8 8M6-2l4 4",
	4: "M0 2h8M0 6h8",
	5: "M2 0v8M6 0v8",
	6: "M0 4h8M4 0v8",
}
