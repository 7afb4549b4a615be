package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Poppler uses one direction for all lines of a page, namely that of most of the page's letters, and
// reorders each line accordingly (TextPage::coalesce and reorderText in poppler's TextOutputDev.cc).
// It assigns signs and spaces between two languages to the preceding language. This file corrects
// what poppler would misread, in two ways. First, invisible direction marks (UAX 9, 2.6) are added
// next to signs between two languages. Second, a line whose paragraph has a different direction from
// the page is split into one line per part (TextBlock::coalesce). To achieve this, a wide direction
// mark ends each line. It makes poppler start a new line, because the next word begins half the font
// size or more before the end of the mark. In addition, each part has a slightly lower baseline than
// the previous part, because poppler sorts lines by baseline.

// step is the difference between the baselines of two parts. Its unit is that of Skia's pages, which
// is 0.72 points.
const step = 0.02

// sizeStep is the difference between the font sizes of two parts. It prevents poppler from joining
// adjacent parts into one word.
const sizeStep = 0.001

// wide is the width of a mark that ends a line, in thousandths of the font size. It covers a space,
// half the font size, and the extra space that some fonts have between words.
const wide = 1200

// hint is a direction mark at x, relative to the origin of the piece's text. Its width is in
// thousandths of the font size.
type hint struct {
	piece
	x, width float64
}

// write writes the mark, which is invisible.
func (h hint) write(out *bytes.Buffer) {
	text := "\u200e"
	if h.run.leftwards {
		text = "\u200f"
	}
	fmt.Fprintf(out, "BT\n%s %s Tf\n%s Tm\n3 Tr\n", h.run.fontName, short(h.run.size), h.run.place())
	w := runWriter{run: h.run, out: out}
	w.moveTo(h.x)
	w.show(h.run.font.hidden(h.run.glyphs[0].id, text, h.width))
	w.close()
	out.WriteString("0 Tr\nET\n")
}

// atLeft and atRight return a mark just inside the end of a run, so the mark belongs to this run and
// not to the adjacent one.
func atLeft(p piece) hint { return hint{piece: p, x: p.run.start() - p.run.size/50} }

func atRight(p piece, width float64) hint {
	return hint{piece: p, x: p.run.end() - p.run.size/20, width: width}
}

// helpPoppler moves the runs of those lines that poppler would read in a different order, and
// returns the direction marks that poppler needs.
func helpPoppler(marks []*mark) []hint {
	leftwards := isPageLeftwards(texts(marks))
	if !leftwards {
		for _, m := range marks {
			m.pieces = withSignsApart(m.pieces)
		}
	}
	all := texts(marks)
	var out []hint
	for len(all) > 0 {
		n := 1
		for n < len(all) && sameLine(all[0], all[n]) {
			n++
		}
		out = append(out, helpLine(all[:n], leftwards)...)
		all = all[n:]
	}
	return out
}

// texts returns the runs of a page in reading order. It omits blank, rotated and mirrored runs.
func texts(marks []*mark) []piece {
	var out []piece
	for _, m := range marks {
		for _, p := range m.pieces {
			if p.run != nil && p.run.scale > 0 && !isSpace(p.run.text()) {
				out = append(out, p)
			}
		}
	}
	return out
}

// withSignsApart splits off the signs at which poppler ends a right-to-left part, on a page that
// poppler reads from left to right.
func withSignsApart(pieces []piece) []piece {
	var out []piece
	for _, p := range pieces {
		if p.run == nil || !p.run.leftwards || !slices.ContainsFunc(p.run.glyphs, glyph.endsPart) {
			out = append(out, p)
			continue
		}
		rest := p.run.glyphs
		for len(rest) > 0 {
			at := len(rest) - 1
			for !rest[at].endsPart() && at > 0 && !rest[at-1].endsPart() {
				at--
			}
			one := *p.run
			one.glyphs, rest = rest[at:], rest[:at]
			one.leftwards = !one.glyphs[0].endsPart()
			part := p
			part.run = &one
			out = append(out, part)
		}
	}
	return out
}

// helpLine corrects a line whose runs are in reading order. leftwards reports whether poppler reads
// the page from right to left.
func helpLine(line []piece, leftwards bool) []hint {
	for i, p := range line {
		// A sign that forms a separate run has no marked direction.
		switch {
		case !leftwards || !p.run.isSign():
		case i > 0:
			p.run.leftwards = line[i-1].run.left() > p.run.left()
		case len(line) > 1:
			p.run.leftwards = line[1].run.left() < p.run.left()
		}
	}
	visual := slices.SortedStableFunc(slices.Values(line), func(a, b piece) int { return cmp.Compare(a.run.left(), b.run.left()) })
	shown := slices.Clone(visual)
	turn(shown, leftwards)
	another := sizeStep
	if !slices.EqualFunc(shown, line, func(a, b piece) bool { return a.run == b.run }) {
		for i, p := range line[1:] {
			p.run.shift = line[i].run.shift
			if !follows(visual, line[i], p) {
				p.run.shift += step
				p.run.size += another
				another = -another
			}
		}
	}
	var out []hint
	for i, p := range visual {
		first := i == 0 || visual[i-1].run.leftwards != p.run.leftwards
		last := i+1 == len(visual) || visual[i+1].run.leftwards != p.run.leftwards
		foreign := p.run.leftwards != leftwards && strings.ContainsFunc(p.run.text(), unicode.IsLetter)
		switch {
		case i+1 < len(visual) && visual[i+1].run.shift != p.run.shift:
			out = append(out, atRight(p, wide))
		case leftwards && p.run.leftwards && last && !strings.ContainsFunc(p.run.text(), unicode.IsLetter):
			out = append(out, atRight(p, 0))
		case last && foreign && !hasLetter(p.run.glyphs[len(p.run.glyphs)-1].text):
			out = append(out, atRight(p, 0))
		case leftwards && p.run.leftwards && last && i+1 < len(visual) && p.run.endsWithSign(true):
			out = append(out, atRight(p, 0))
		}
		if first && foreign && !hasLetter(p.run.glyphs[0].text) ||
			!leftwards && !p.run.leftwards && first && i > 0 && p.run.endsWithSign(false) {
			out = append(out, atLeft(p))
		}
	}
	return out
}

// endsWithSign reports whether the outermost glyph at the right or left end of a run is a sign.
// Poppler would add such a sign to the adjacent run of the other direction.
func (r *run) endsWithSign(right bool) bool {
	glyphs := slices.Clone(r.glyphs)
	if right {
		slices.Reverse(glyphs)
	}
	for _, g := range glyphs {
		if !isSpace(g.text) {
			return g.class() == neutral || g.class() == digit && !hasLetter(g.text)
		}
	}
	return false
}

// follows reports whether p and the run that is read before it are adjacent and have the same
// direction.
func follows(visual []piece, before, p piece) bool {
	i := slices.IndexFunc(visual, func(one piece) bool { return one.run == p.run })
	if before.run.leftwards != p.run.leftwards {
		return false
	}
	if p.run.leftwards {
		return i+1 < len(visual) && visual[i+1].run == before.run
	}
	return i > 0 && visual[i-1].run == before.run
}

// class is poppler's classification of a character.
type class int

const (
	neutral class = iota
	fromLeft
	digit
	fromRight
)

func (g glyph) class() class { return classOf(g.text) }

// isPageLeftwards reports whether poppler reads a page from right to left.
func isPageLeftwards(text []piece) bool {
	balance := 0
	for _, p := range text {
		for _, r := range p.run.text() {
			switch classOf(string(r)) {
			case fromRight:
				balance++
			case fromLeft:
				balance--
			}
		}
	}
	return balance > 0
}

// classOf returns the class of a character (poppler's UnicodeTypeTable.cc, which ends at U+FFFF).
func classOf(text string) class {
	if r, _ := utf8.DecodeRuneInString(text); r > 0xffff {
		return neutral
	}
	properties, _ := bidi.LookupString(text)
	switch properties.Class() {
	case bidi.R, bidi.AL:
		return fromRight
	case bidi.L:
		return fromLeft
	case bidi.EN, bidi.ES, bidi.ET, bidi.AN, bidi.CS:
		return digit
	default:
		return neutral
	}
}

// endsPart reports whether a glyph is a sign that poppler treats as part of a number.
func (g glyph) endsPart() bool { return g.class() == digit && !isSpace(g.text) }
