package pdf

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// run is a sequence of glyphs with the same font and direction on one line.
type run struct {
	font     *font
	fontName []byte
	size     float64
	// matrix is the operand of the Tm operator, which consists of six numbers (ISO 32000-1, 9.4.2).
	// scale is the first number, or 0 for rotated or mirrored text. x and baseline are the last two
	// numbers.
	matrix             []byte
	scale, x, baseline float64
	// shift moves the baseline. It determines the order of the parts of a line (see poppler.go).
	shift float64
	// leftwards reports whether the glyphs are read from right to left. They are always drawn from
	// left to right.
	leftwards bool
	// among reports whether the run is a number in the middle of right-to-left words.
	among  bool
	glyphs []glyph
}

type glyph struct {
	id int
	// x and rise are the glyph's position, relative to the origin of the matrix.
	x, rise float64
	text    string
	// marks are the marks that belong to a letter. They are drawn separately.
	marks []glyph
	// tail is hidden text that is read after text.
	tail string
	// shape reports whether this glyph is drawn as a shape, because a different glyph has its text.
	shape bool
	// wide is the width, in thousandths of the font size, of text whose glyphs are all drawn as
	// shapes. It is 0 for other glyphs.
	wide float64
}

// text returns the texts of the glyphs in visual order.
func (r *run) text() string {
	var out strings.Builder
	for _, g := range r.glyphs {
		out.WriteString(g.text)
	}
	return out.String()
}

// left and right return the positions of the ends of the run on its line.
func (r *run) left() float64 { return r.x + r.scale*r.start() }

func (r *run) right() float64 { return r.x + r.scale*r.end() }

// start and end return the positions of the left and right ends, relative to the origin of the
// matrix. They ignore marks, which may be anywhere above a letter.
func (r *run) start() float64 {
	for _, g := range r.glyphs {
		if !isMark(g.text) {
			return g.x
		}
	}
	return r.glyphs[0].x
}

func (r *run) end() float64 {
	end := math.Inf(-1)
	for _, g := range r.glyphs {
		end = max(end, g.x+r.width(g)*r.size/1000)
	}
	return end
}

// width returns the width, in thousandths of the font size, of a glyph or of the text that replaces
// several glyphs.
func (r *run) width(g glyph) float64 {
	if g.wide > 0 {
		return g.wide
	}
	return r.font.width(g.id)
}

// firstRead and lastRead return the texts of the first and the last glyph in reading order.
func (r *run) firstRead() string {
	if r.leftwards {
		return r.glyphs[len(r.glyphs)-1].text
	}
	return r.glyphs[0].text
}

func (r *run) lastRead() string {
	if r.leftwards {
		return r.glyphs[0].text
	}
	return r.glyphs[len(r.glyphs)-1].text
}

// joins reports whether next is adjacent to this run and is read directly after it, without a
// space.
func (r *run) joins(next *run) bool {
	near := maxGap * r.size / 1000 * r.scale
	left, right := r, next // in visual order
	if math.Abs(next.left()-r.right()) > near {
		left, right = next, r
	}
	if math.Abs(right.left()-left.right()) > near || isSpace(left.glyphs[len(left.glyphs)-1].text) || isSpace(right.glyphs[0].text) {
		return false
	}
	return !isSpace(r.lastRead()) && (!r.leftwards && !isSpace(next.firstRead()) || hasLetter(next.firstRead()))
}

// textReader parses a text object (ISO 32000-1, 9.4).
type textReader struct {
	fonts           map[string]*font
	run             *run
	line, pen, rise float64
	// spans are the open marked-content sequences, innermost last.
	spans []span
}

// span is a marked-content sequence within a text object.
type span struct {
	// actual is the replacement text for the glyphs that start at the index from. from is -1 if
	// there is no replacement text.
	actual string
	from   int
}

// operate executes an operator. It returns false if Skia never writes the operator at this point.
func (t *textReader) operate(op string, args [][]byte) bool {
	r := t.run
	switch {
	case op == "Tf" && len(args) == 2 && r.font == nil:
		r.fontName, r.size = args[0], decimal(args[1])
		r.font = t.fonts[string(args[0][1:])]
		return r.font != nil && r.size > 0
	case op == "Tm" && len(args) == 6 && r.matrix == nil:
		r.matrix, r.x, r.baseline = bytes.Join(args, []byte(" ")), decimal(args[4]), decimal(args[5])
		if decimal(args[1]) == 0 && decimal(args[2]) == 0 {
			r.scale = max(decimal(args[0]), 0)
		}
	case op == "Td" && len(args) == 2:
		t.line += decimal(args[0])
		t.rise += decimal(args[1])
		t.pen = t.line
	case op == "Tj" && len(args) == 1 && r.font != nil:
		return t.show(args[0])
	case op == "BMC" && len(args) == 1:
		r.leftwards = r.leftwards || string(args[0]) == "/ReversedChars"
		t.spans = append(t.spans, span{from: -1})
	case op == "BDC" && len(args) == 2 && string(args[0]) == "/Span":
		t.spans = append(t.spans, span{actual: letters(textOf(entry(args[1], "ActualText"))), from: len(r.glyphs)})
	case op == "EMC" && len(t.spans) > 0:
		last := t.spans[len(t.spans)-1]
		t.spans = t.spans[:len(t.spans)-1]
		if last.from >= 0 {
			r.assign(last)
		}
	default:
		return false
	}
	return true
}

// finished ends the text object and reports whether it is complete.
func (t *textReader) finished() bool {
	r := t.run
	if len(r.glyphs) == 0 {
		return true
	}
	// Skia does not mark the direction of a single glyph.
	r.leftwards = r.leftwards || len(r.glyphs) == 1 && isRightToLeft(r.glyphs[0].text)
	return r.matrix != nil && len(t.spans) == 0
}

// show reads the operand of the Tj operator, which has two bytes per glyph.
func (t *textReader) show(operand []byte) bool {
	codes, err := hex.DecodeString(string(bytes.Trim(operand, "<>")))
	if err != nil || len(codes)%2 != 0 {
		return false
	}
	r := t.run
	for i := 0; i < len(codes); i += 2 {
		id := int(codes[i])<<8 | int(codes[i+1])
		r.font.last = max(r.font.last, id)
		r.glyphs = append(r.glyphs, glyph{id: id, x: t.pen, rise: t.rise, text: r.font.given[id]})
		t.pen += r.font.width(id) * r.size / 1000
	}
	return true
}

// assign distributes the text of a span among its glyphs. Each glyph gets one character, and the
// last glyph also gets the rest. If a font draws a character with several glyphs, such as a letter
// and its dot, the glyphs without a width become shapes. If there are still more glyphs than
// characters, all glyphs become shapes, and text of the same width replaces them.
func (r *run) assign(s span) {
	var order []*glyph // in reading order
	for i := s.from; i < len(r.glyphs); i++ {
		order = append(order, &r.glyphs[i])
	}
	if r.leftwards {
		slices.Reverse(order)
	}
	characters, letters := 0, 0
	for _, c := range s.actual {
		characters++
		if !unicode.Is(unicode.Mn, c) {
			letters++
		}
	}
	spacing := 0
	for _, g := range order {
		if r.font.width(g.id) > 0 {
			spacing++
		}
	}
	// In a left-to-right run, the texts of marks are added to their letters later. In a
	// right-to-left run, one glyph may represent two letters with a mark between them.
	laced := r.leftwards && spacing == 1 && letters > 1 && letters < characters
	if len(order) > characters || !r.leftwards && spacing > 0 || laced {
		for _, g := range order {
			g.shape = r.font.width(g.id) == 0
		}
		order = slices.DeleteFunc(order, func(g *glyph) bool { return g.shape })
	}
	// Skia omits glyphs outside the page, but not their text.
	switch {
	case len(order) == 0 && len(r.glyphs) > s.from: // text without a width
		r.glyphs[s.from].text, r.glyphs[s.from].shape = s.actual, false
	case len(order) > characters:
		r.cover(s)
	case laced && len(order) == 1:
		_, n := utf8.DecodeRuneInString(s.actual)
		order[0].text, order[0].tail = s.actual[:n], s.actual[n:]
	default:
		rest := s.actual
		for i, g := range order {
			_, n := utf8.DecodeRuneInString(rest)
			if strings.HasPrefix(rest, g.text) {
				n = max(n, len(g.text))
			}
			if i == len(order)-1 {
				n = len(rest)
			}
			g.text, rest = rest[:n], rest[n:]
		}
	}
}

// cover turns all glyphs of a span into shapes and adds one glyph that has the span's text.
func (r *run) cover(s span) {
	text := glyph{id: r.glyphs[s.from].id, x: math.Inf(1), rise: r.glyphs[s.from].rise, text: s.actual}
	end := math.Inf(-1)
	for i := range r.glyphs[s.from:] {
		g := &r.glyphs[s.from+i]
		g.shape = true
		text.x = min(text.x, g.x)
		end = max(end, g.x+r.font.width(g.id)*r.size/1000)
	}
	text.wide = (end - text.x) * 1000 / r.size
	r.glyphs = append(r.glyphs, text)
}

func isRightToLeft(text string) bool {
	properties, _ := bidi.LookupString(text)
	return properties.Class() == bidi.R || properties.Class() == bidi.AL
}
