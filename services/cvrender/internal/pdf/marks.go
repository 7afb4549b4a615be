package pdf

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"vitae.internal/services/cvrender/internal/direction"
)

// writeMarks returns the content of a page. The artifacts come first, followed by the marked
// content in reading order. read returns the reading position and direction of a mark.
func writeMarks(marks []*mark, read func(*mark) reading) []byte {
	slices.SortStableFunc(marks, func(a, b *mark) int {
		return cmp.Compare(read(a).place, read(b).place)
	})
	for _, m := range marks {
		texts := [][]piece{m.pieces}
		if m.tag == "" {
			texts = apart(m.pieces)
		}
		m.pieces = nil
		for _, text := range texts {
			m.pieces = append(m.pieces, inReadingOrder(text, read(m).rtl)...)
		}
	}
	hints := helpPoppler(marks)
	w := markWriter{}
	for _, m := range marks {
		w.mark(m)
	}
	w.hints(hints)
	w.leave()
	return w.out.Bytes()
}

// markWriter writes marked content. In between, it changes the graphics state if necessary.
type markWriter struct {
	out          bytes.Buffer
	frame, color string
	depth        int
}

// mark writes a marked-content sequence. It writes a sequence even if it shows nothing, because the
// structure refers to it.
func (w *markWriter) mark(m *mark) {
	tag := m.tag
	if tag == "" {
		tag = "/Artifact BMC\n"
	}
	w.out.WriteString(tag)
	for i := 0; i < len(m.pieces); {
		n := 1
		for i+n < len(m.pieces) && sameLine(m.pieces[i], m.pieces[i+n]) {
			n++
		}
		if m.pieces[i].run != nil {
			w.line(m.pieces[i : i+n])
		} else {
			w.enter(m.pieces[i])
			w.out.WriteString(m.pieces[i].raw)
		}
		i += n
	}
	w.out.WriteString("EMC\n")
}

// line writes the runs of a line.
func (w *markWriter) line(pieces []piece) {
	marks := make([][]glyph, len(pieces))
	for i, p := range pieces {
		joins := i > 0 && pieces[i-1].run.joins(p.run)
		if i > 0 && !joins {
			w.out.WriteString("ET\n")
		}
		w.enter(p)
		marks[i] = p.run.write(&w.out, joins, cmp.Or(p.color, "0 g\n"))
	}
	w.out.WriteString("ET\n")
	for i, p := range pieces {
		if len(marks[i]) > 0 {
			w.enter(p)
			p.run.drawMarks(&w.out, marks[i])
		}
	}
}

// hints writes the direction marks as artifacts, so PDF readers do not extract them as text.
func (w *markWriter) hints(hints []hint) {
	if len(hints) == 0 {
		return
	}
	w.out.WriteString("/Artifact BMC\n")
	for _, h := range hints {
		w.enter(h.piece)
		h.write(&w.out)
	}
	w.out.WriteString("EMC\n")
}

// enter switches to the graphics state of a piece.
func (w *markWriter) enter(p piece) {
	if p.frame != w.frame || p.depth != w.depth {
		w.leave()
		w.out.WriteString("q\n" + p.frame)
		w.frame, w.depth, w.color = p.frame, p.depth+1, ""
	}
	if p.color != w.color {
		w.out.WriteString(p.color)
		w.color = p.color
	}
}

func (w *markWriter) leave() {
	w.out.WriteString(strings.Repeat("Q\n", w.depth))
	w.depth = 0
}

// inReadingOrder returns the pieces of marked content in reading order. Skia draws the runs of a
// line from left to right. In right-to-left text, the last run of a line is read first. In any
// line, adjacent right-to-left runs are read in reverse order. If the letters do not determine the
// direction of the text, rtl does; it is the direction of the text's element.
func inReadingOrder(pieces []piece, rtl bool) []piece {
	against := isLeftwards(pieces, rtl)
	var out []piece
	for i := 0; i < len(pieces); {
		n := 1
		for i+n < len(pieces) && sameLine(pieces[i], pieces[i+n]) {
			n++
		}
		line := slices.Clone(pieces[i : i+n])
		if n > 1 {
			orderLine(line, against)
			line = withoutJoiners(line)
		}
		out = append(out, line...)
		i += n
	}
	return out
}

// withoutJoiners appends runs that consist only of joiners to the preceding run. In Persian,
// joiners often come from a different font.
func withoutJoiners(line []piece) []piece {
	out := line[:1]
	for _, p := range line[1:] {
		before := out[len(out)-1].run
		if text := p.run.text(); strings.TrimFunc(text, isFormat) != "" || text == "" {
			out = append(out, p)
		} else if before.leftwards {
			before.glyphs[0].text += text
		} else {
			before.glyphs[len(before.glyphs)-1].text += text
		}
	}
	return out
}

func isFormat(r rune) bool { return unicode.Is(unicode.Cf, r) }

func sameLine(a, b piece) bool {
	return a.run != nil && b.run != nil && a.frame == b.frame && a.run.baseline == b.run.baseline
}

// apart splits the artifacts on one line into separate texts, because the footer of a page has the
// name and the page number on one line. Skia draws each text from left to right, so a run to the
// left of the previous run begins a new text.
func apart(pieces []piece) [][]piece {
	var texts [][]piece
	begin := 0
	for i := 1; i < len(pieces); i++ {
		if sameLine(pieces[i-1], pieces[i]) && pieces[i].run.x < pieces[i-1].run.x {
			texts = append(texts, pieces[begin:i])
			begin = i
		}
	}
	return append(texts, pieces[begin:])
}

// orderLine sorts the runs of a line into reading order. against reports whether the text is read
// from right to left.
func orderLine(line []piece, against bool) {
	for i, p := range line {
		r := p.run
		if i > 0 && i+1 < len(line) && isUnseen(r.text()) && line[i-1].run.leftwards == line[i+1].run.leftwards {
			r.leftwards = line[i-1].run.leftwards
		}
		if against {
			r.leftwards = r.leftwards || r.isSign() && !amidLeft(line, i)
		} else {
			// A number after right-to-left words belongs to them (UAX 9, W2). A number after
			// left-to-right words would be part of the same run as the words.
			r.among = i > 0 && i+1 < len(line) && line[i+1].run.leftwards && !r.leftwards && r.isNumber()
		}
	}
	turn(line, against)
}

// amidLeft reports whether run i is between two left-to-right runs. It ignores runs that are signs.
func amidLeft(line []piece, i int) bool {
	before, behind := i-1, i+1
	for before >= 0 && line[before].run.isSign() {
		before--
	}
	for behind < len(line) && line[behind].run.isSign() {
		behind++
	}
	return before >= 0 && behind < len(line) && !line[before].run.leftwards && !line[behind].run.leftwards &&
		!isSpace(line[before].run.text()) && !isSpace(line[behind].run.text())
}

// turn changes the order of the runs of a line from visual order to reading order, or back (UAX 9,
// L2, reversed). against reports whether the line is read from right to left.
func turn(line []piece, against bool) {
	if against {
		slices.Reverse(line)
	}
	for i := 0; i < len(line); {
		n := 0
		for i+n < len(line) && (line[i+n].run.leftwards || line[i+n].run.among) != against {
			n++
		}
		slices.Reverse(line[i : i+n])
		i += max(n, 1)
	}
}

// isNumber reports whether a run contains digits but no letters.
func (r *run) isNumber() bool {
	text := r.text()
	return strings.ContainsFunc(text, unicode.IsDigit) && !strings.ContainsFunc(text, unicode.IsLetter)
}

// isSign reports whether a run is a single glyph that is not a letter, digit or space. Skia does
// not mark the direction of such a run. In right-to-left text, it is right-to-left, because
// left-to-right text there is a single run that includes its signs (UAX 9, N1).
func (r *run) isSign() bool {
	text := r.text()
	return len(r.glyphs) == 1 && !hasLetter(text) && !isSpace(text)
}

// isLeftwards reports whether a text is read from right to left. The letters determine the
// direction. If there are letters of both directions or none, rtl determines it, because the
// positions of the runs do not show which run is read first.
func isLeftwards(text []piece, rtl bool) bool {
	var left, right bool
	for _, p := range text {
		if p.run == nil {
			continue
		}
		for _, r := range p.run.text() {
			if direction.IsRightToLeft(r) {
				right = true
			} else if unicode.IsLetter(r) {
				left = true
			}
		}
	}
	if left == right {
		return rtl
	}
	return right
}
