package plot

// Heights are in CSS pixels. Horizontal positions are in percent, so that columns become narrow
// on a narrow screen, and texts stay readable.
const (
	height            = 256
	top, bottom       = 20, 28
	plotHeight        = height - top - bottom
	limitLabelAbove   = 6
	gapOfColumn       = 0.24 // of a column's width
	widestColumn      = 8.0  // percent
	tickLabelDistance = 20
	leastHeight       = 1.5 // of a count above zero
	dividedHeight     = 4   // from which on a line divides a layer from the next
	ticksOnPhones     = 5
	endOfAxis         = 95.0 // percent
)

// Drawing is a chart for the template.
type Drawing struct {
	ID, Name, Description string
	// Height is that of the image, AxisY that of the horizontal axis.
	Height int
	AxisY  float64
	Levels []Level
	Marks  []Mark
	Bars   []Bar
	Limit  *LimitLine
	// Beyond is the text of a limit that is too high to be drawn, "" for none.
	Beyond string
	Legend []Entry
	Values []Value
}

// Level is a count on the vertical axis.
type Level struct {
	Y    float64
	Text string
}

// Mark is a label under the horizontal axis, at X percent from the left. Narrow screens omit
// minor ones. The text ends at X if End is set, otherwise it is centred.
type Mark struct {
	X          float64
	Text       string
	Minor, End bool
}

// Bar is a layer of a column. X and Width are in percent, Y and Height in pixels.
type Bar struct {
	X, Width, Y, Height float64
	// Shade is the number of the layer.
	Shade int
	// Divided bars are high enough for a line between them and the next one.
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

// Value is the text of a column.
type Value struct {
	Text, Total    string
	Lines          []Line
	Link, LinkText string
	// Late columns are in the right half, so their text is on their left.
	Late bool
	Last bool
}

// Line is the count of a layer.
type Line struct {
	Shade       int
	Name, Count string
}

// Sentence is the value for screen readers.
func (v Value) Sentence() string {
	out := v.Text + ": " + v.Total + "."
	for _, line := range v.Lines {
		out += " " + line.Name + ": " + line.Count + "."
	}
	return out
}

// textures distinguish layers without colour. The first layer has none, because most charts have
// one layer, and neither has the last, which is the sum of the rest.
var textures = [MaxSeries]string{
	1: "M-2 2l4-4M0 8l8-8M6 10l4-4",
	2: "M2 2h.01M6 6h.01",
	3: "M-2 6l4 4M0 0l8 8M6-2l4 4",
	4: "M0 2h8M0 6h8",
	5: "M2 0v8M6 0v8",
	6: "M0 4h8M4 0v8",
}
