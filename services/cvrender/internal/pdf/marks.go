package pdf

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// writeMarks writes the content of a page: first what belongs to nothing, then the marked
// contents in the order in which they are read. place gives that order.
func writeMarks(marks []*mark, place func(id int) int) []byte {
	slices.SortStableFunc(marks, func(a, b *mark) int {
		return cmp.Compare(a.place(place), b.place(place))
	})
	w := markWriter{}
	for _, m := range marks {
		w.mark(m)
	}
	w.leave()
	return w.out.Bytes()
}

func (m *mark) place(of func(id int) int) int {
	if m.tag == "" {
		return -1
	}
	return of(m.id)
}

// markWriter writes marked contents, and changes the state between them where it must.
type markWriter struct {
	out           bytes.Buffer
	frame, colour string
	depth         int
}

// mark writes a marked content, also one that shows nothing: the structure names it.
func (w *markWriter) mark(m *mark) {
	tag := m.tag
	if tag == "" {
		tag = "/Artifact BMC\n"
	}
	w.out.WriteString(tag)
	for _, p := range inReadingOrder(m.pieces) {
		w.enter(p)
		if p.run != nil {
			p.run.write(&w.out)
		} else {
			w.out.WriteString(p.raw)
		}
	}
	w.out.WriteString("EMC\n")
}

// enter sets the state of a piece.
func (w *markWriter) enter(p piece) {
	if p.frame != w.frame || p.depth != w.depth {
		w.leave()
		w.out.WriteString("q\n" + p.frame)
		w.frame, w.depth, w.colour = p.frame, p.depth+1, ""
	}
	if p.colour != w.colour {
		w.out.WriteString(p.colour)
		w.colour = p.colour
	}
}

func (w *markWriter) leave() {
	w.out.WriteString(strings.Repeat("Q\n", w.depth))
	w.depth = 0
}

// inReadingOrder gives the pieces of a marked content in the order in which they are read.
// Skia draws the runs of a line from left to right. In a text that is read from right to
// left the last of a line comes first, and in any line the runs from right to left that stand
// side by side change places. A text has one direction in all of its lines.
func inReadingOrder(pieces []piece) []piece {
	against := isLeftwards(pieces)
	var out []piece
	for i := 0; i < len(pieces); {
		n := 1
		for i+n < len(pieces) && sameLine(pieces[i], pieces[i+n]) {
			n++
		}
		line := slices.Clone(pieces[i : i+n])
		if n > 1 {
			orderLine(line, against)
		}
		out = append(out, line...)
		i += n
	}
	return out
}

func sameLine(a, b piece) bool {
	return a.run != nil && b.run != nil && a.frame == b.frame && a.run.baseline == b.run.baseline
}

// orderLine puts the runs of a line in order (UAX 9, L2, backwards). against says that its text is
// read from right to left.
func orderLine(line []piece, against bool) {
	if against {
		slices.Reverse(line)
	}
	for i := 1; i < len(line)-1; i++ {
		if before := line[i-1].run.leftwards; isSpace(line[i].run.text()) && before == line[i+1].run.leftwards {
			line[i].run.leftwards = before
		}
	}
	for i := 0; i < len(line); {
		n := 0
		for i+n < len(line) && line[i+n].run.leftwards != against {
			n++
		}
		slices.Reverse(line[i : i+n])
		i += max(n, 1)
	}
}

// isLeftwards reports whether a text is read from right to left: if most of its letters are,
// which is how package template gives texts their direction.
func isLeftwards(text []piece) bool {
	balance := 0
	for _, p := range text {
		if p.run == nil {
			continue
		}
		for _, r := range p.run.text() {
			switch {
			case isRightToLeft(string(r)):
				balance++
			case unicode.IsLetter(r):
				balance--
			}
		}
	}
	return balance > 0
}
