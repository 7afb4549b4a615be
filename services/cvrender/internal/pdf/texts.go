package pdf

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// run is glyphs of one font on one line, all of one direction, and how they are placed.
type run struct {
	font     *font
	fontName []byte
	size     float64
	// matrix is the operand of Tm: the six numbers of ISO 32000-1, 9.4.2. baseline is the
	// last of them, and tells lines apart. x is the one before, and scale the first; 0 for a
	// text that is turned or mirrored.
	matrix             []byte
	scale, x, baseline float64
	// shift is by how much the baseline is moved to put parts of a line in order (see poppler.go).
	shift float64
	// leftwards says that the glyphs read from right to left. They are drawn from left to
	// right all the same.
	leftwards bool
	// among says that it is a number among words from right to left.
	among  bool
	glyphs []glyph
}

// glyph is one glyph of a run.
type glyph struct {
	id int
	// x and rise are its position, from the origin of the matrix.
	x, rise float64
	text    string
	// marks are the marks of a letter, which are drawn apart.
	marks []glyph
}

// text gives the texts of the glyphs, in the order in which they are drawn.
func (r *run) text() string {
	var out strings.Builder
	for _, g := range r.glyphs {
		out.WriteString(g.text)
	}
	return out.String()
}

// left and right are where the run begins and ends on its line.
func (r *run) left() float64 { return r.x + r.scale*r.glyphs[0].x }

func (r *run) right() float64 {
	last := r.glyphs[len(r.glyphs)-1]
	return r.x + r.scale*(last.x+r.font.width(last.id)*r.size/1000)
}

// firstRead and lastRead give the texts of the glyphs that are read first and last.
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

// joins reports whether another run of the line stands beside this one and is read behind it
// without a space.
func (r *run) joins(next *run) bool {
	near := maxGap * r.size / 1000 * r.scale
	left, right := r, next // as they stand on the line
	if math.Abs(next.left()-r.right()) > near {
		left, right = next, r
	}
	if math.Abs(right.left()-left.right()) > near || isSpace(left.glyphs[len(left.glyphs)-1].text) || isSpace(right.glyphs[0].text) {
		return false
	}
	return !isSpace(r.lastRead()) && (!r.leftwards && !isSpace(next.firstRead()) || hasLetter(next.firstRead()))
}

// textReader reads a text object (ISO 32000-1, 9.4).
type textReader struct {
	fonts           map[string]*font
	run             *run
	line, pen, rise float64
	// spans are the open marked contents, innermost last.
	spans []span
}

// span is a marked content within a text.
type span struct {
	// actual is its replacement text, and from the first glyph that it stands for. from is
	// -1 for a span without one.
	actual string
	from   int
}

// operate does one operator. It reports whether that is one that Skia writes there.
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
		return last.from < 0 || r.assign(last)
	default:
		return false
	}
	return true
}

// finished ends the text. It reports whether that is whole.
func (t *textReader) finished() bool {
	r := t.run
	if len(r.glyphs) == 0 {
		return true
	}
	// Skia does not mark a run of one glyph.
	r.leftwards = r.leftwards || len(r.glyphs) == 1 && isRightToLeft(r.glyphs[0].text)
	return r.matrix != nil && len(t.spans) == 0
}

// show reads the operand of Tj: two bytes a glyph.
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

// assign gives the glyphs of a span their parts of its text. It reports whether that is
// possible.
func (r *run) assign(s span) bool {
	glyphs := r.glyphs[s.from:]
	rest := s.actual
	for i := range glyphs {
		g := &glyphs[i]
		if r.leftwards {
			g = &glyphs[len(glyphs)-1-i]
		}
		if rest == "" {
			return false
		}
		_, n := utf8.DecodeRuneInString(rest)
		if strings.HasPrefix(rest, g.text) {
			n = max(n, len(g.text))
		}
		if i == len(glyphs)-1 {
			n = len(rest)
		}
		g.text, rest = rest[:n], rest[n:]
	}
	// Skia leaves out glyphs that stand outside of the page, but for their text.
	return rest == "" || len(glyphs) == 0
}

func isRightToLeft(text string) bool {
	properties, _ := bidi.LookupString(text)
	return properties.Class() == bidi.R || properties.Class() == bidi.AL
}
