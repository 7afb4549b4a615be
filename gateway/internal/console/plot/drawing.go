package plot

// The heights of the image, in CSS pixels. Its width is that of the page: what lies across is
// told in per cent, so that a narrow screen makes columns narrow and leaves texts readable.
const (
	height            = 256
	top, bottom       = 20, 28
	plotHeight        = height - top - bottom
	limitLabelAbove   = 6
	gapOfColumn       = 0.24 // of a column's width
	widestColumn      = 8.0  // per cent
	tickLabelDistance = 20
	leastHeight       = 1.5 // of a count above zero
	dividedHeight     = 4   // from here on, a layer is set apart from the next by a line
	ticksOnPhones     = 5
	endOfAxis         = 95.0 // per cent
)

// Drawing is a laid out chart, as the template draws it.
type Drawing struct {
	ID, Name, Description string
	// Height is that of the image, AxisY that of the horizontal axis.
	Height int
	AxisY  float64
	Levels []Level
	Marks  []Mark
	Bars   []Bar
	Limit  *LimitLine
	// Beyond tells of a limit that is too far above to be drawn; empty for none.
	Beyond string
	Legend []Entry
	Values []Value
}

// Level is a count on the vertical axis.
type Level struct {
	Y    float64
	Text string
}

// Mark is a label under the horizontal axis, in per cent from the left. Minor ones are left
// out where the screen is narrow. The text ends at X if End is set, and is centred there if not.
type Mark struct {
	X          float64
	Text       string
	Minor, End bool
}

// Bar is a layer of a column. X and Width are per cent of the width, Y and Height pixels.
type Bar struct {
	X, Width, Y, Height float64
	// Shade is the layer's number.
	Shade int
	// Divided bars are high enough for a line between them and the next.
	Divided bool
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
	// Texture is the path of a pattern of eight by eight pixels over the layer's colour.
	Texture string
}

// Value is what a column says of itself.
type Value struct {
	Text, Total string
	Lines       []Line
	// Link and LinkText are those of the column.
	Link, LinkText string
	// Late columns lie in the right half, so what they say stands on their left.
	Late bool
	// Last says that it is the last one.
	Last bool
}

// Line is the count of a layer.
type Line struct {
	Shade       int
	Name, Count string
}

// Sentence is the value for people who hear it.
func (v Value) Sentence() string {
	out := v.Text + ": " + v.Total + "."
	for _, line := range v.Lines {
		out += " " + line.Name + ": " + line.Count + "."
	}
	return out
}

// textures tell layers apart without colour: lines in each direction, dots, a grid. The first
// has none, because most charts have one layer; neither has the last, which stands for the
// others.
var textures = [MaxSeries]string{
	1: "M-2 2l4-4M0 8l8-8M6 10l4-4",
	2: "M2 2h.01M6 6h.01",
	3: "M-2 6l4 4M0 0l8 8M6-2l4 4",
	4: "M0 2h8M0 6h8",
	5: "M2 0v8M6 0v8",
	6: "M0 4h8M4 0v8",
}
