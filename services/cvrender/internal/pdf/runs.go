package pdf

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// write writes a run, with each glyph at Skia's position and with its letters as its text. Simple PDF
// readers treat each text object as a line. MuPDF detects words of a different direction only at the
// beginning of a text object or where a color is set. Therefore, text that follows without a space
// stays in the same text object and sets its color again. joins reports whether this is the case for
// this run, and a text object is already open. write leaves the text object open and returns the marks
// that must be drawn after it.
func (r *run) write(out *bytes.Buffer, joins bool, color string) []glyph {
	marks := r.takeMarks()
	stretches := r.stretches()
	for i, glyphs := range stretches {
		switch {
		case joins:
			out.WriteString(color)
		case i > 0:
			out.WriteString("ET\nBT\n")
		default:
			out.WriteString("BT\n")
		}
		fmt.Fprintf(out, "%s %s Tf\n%s Tm\n", r.fontName, short(r.size), r.place())
		w := runWriter{run: r, out: out}
		for _, g := range glyphs {
			w.glyph(g)
		}
		w.close()
		if w.rise != 0 {
			out.WriteString("0 Ts\n")
		}
		joins = i+1 < len(stretches) && !isSpace(glyphs[0].text) && hasLetter(stretches[i+1][len(stretches[i+1])-1].text)
	}
	return marks
}

// place returns the operand of the Tm operator, including the shift of the run.
func (r *run) place() string {
	if r.shift == 0 {
		return string(r.matrix)
	}
	at := bytes.LastIndexByte(r.matrix, ' ')
	return string(r.matrix[:at+1]) + short(r.baseline+r.shift)
}

// drawMarks draws marks as shapes.
func (r *run) drawMarks(out *bytes.Buffer, marks []glyph) {
	if len(marks) == 0 {
		return
	}
	fmt.Fprintf(out, "q\n%s cm\n", r.matrix)
	for _, m := range marks {
		r.font.outlines.draw(out, m, r.size)
	}
	out.WriteString("f\nQ\n")
}

// takeMarks removes from a run the shapes and the marks above and below letters, and returns them to
// be drawn as shapes. If a mark were drawn as text next to its letter, PDF readers would read it as a
// separate word. In a left-to-right run, the text of the mark is added to its letter. In a
// right-to-left run, whose characters PDF readers reverse, the mark is written where the letter
// begins, but hidden and without width.
func (r *run) takeMarks() []glyph {
	if r.font.outlines == nil {
		return nil
	}
	var letters, marks, open []glyph
	for _, g := range r.glyphs {
		last := len(letters) - 1
		switch {
		case g.shape:
			marks = append(marks, g)
		case !r.leftwards && last >= 0 && letters[last].wide == 0 && isMark(g.text):
			letters[last].text += g.text
			letters[last].marks = append(letters[last].marks, g)
		case r.leftwards && isMark(g.text):
			open = append(open, g)
		default:
			g.marks = open
			marks = append(marks, open...)
			open = nil
			letters = append(letters, g)
		}
	}
	if !r.leftwards {
		marks = append(marks, r.widen(letters)...)
	}
	// A mark without a letter is treated like a letter.
	r.glyphs = append(letters, open...)
	return marks
}

// widen returns the marks of letters whose texts already include the marks. If a mark takes up space
// next to its letter, text that is as wide as both replaces them, and the letter is drawn as a shape.
func (r *run) widen(letters []glyph) []glyph {
	var shapes []glyph
	for i := range letters {
		g := &letters[i]
		if len(g.marks) == 0 {
			continue
		}
		shapes = append(shapes, g.marks...)
		width := r.font.width(g.id)
		end := g.x + width*r.size/1000
		if i+1 < len(letters) {
			end = letters[i+1].x
		} else if m := g.marks[len(g.marks)-1]; m.x >= end {
			end = m.x + r.font.width(m.id)*r.size/1000
		}
		g.marks = nil
		if room := (end - g.x) * 1000 / r.size; room > width+maxGap {
			shapes = append(shapes, *g)
			g.wide = room
		}
	}
	return shapes
}

// stretches returns the parts in which the glyphs of a run are written. PDF readers reverse letters
// that are drawn against their reading direction. Not all readers also reverse the spaces and
// punctuation at the ends of a run, so these are written in reading order.
func (r *run) stretches() [][]glyph {
	first, last := 0, len(r.glyphs)
	for first < last && !hasLetter(r.glyphs[first].text) {
		first++
	}
	for last > first && !hasLetter(r.glyphs[last-1].text) {
		last--
	}
	if !r.leftwards || first == last || first == 0 && last == len(r.glyphs) {
		return [][]glyph{r.glyphs}
	}
	var out [][]glyph
	for _, g := range slices.Backward(r.glyphs[last:]) {
		out = append(out, []glyph{g})
	}
	out = append(out, r.glyphs[first:last])
	for _, g := range slices.Backward(r.glyphs[:first]) {
		out = append(out, []glyph{g})
	}
	return out
}

// runWriter writes the strings of a text object.
type runWriter struct {
	run *run
	out *bytes.Buffer
	// pen is the position of the next glyph, relative to the origin of the matrix.
	pen, rise float64
	// lag is how far the glyphs of the current word are to the left of Skia's positions.
	lag float64
	// last is the text of the last glyph that was shown.
	last string
	// open reports whether an array is open. digits reports whether a string inside the array is open.
	open, digits bool
}

func (w *runWriter) glyph(g glyph) {
	if g.rise != w.rise {
		w.close()
		fmt.Fprintf(w.out, "%s Ts\n", short(g.rise))
		w.rise = g.rise
	}
	x := w.place(g)
	w.last = g.text
	w.moveTo(x)
	if len(g.marks) > 0 || g.tail != "" {
		w.hide(g)
	}
	text := g.text
	if w.run.leftwards {
		// PDF readers reverse the characters of a line, including those of a single glyph.
		text = backwards(text)
	}
	if g.wide > 0 {
		w.unseen(func() { w.show(w.run.font.hidden(g.id, text, g.wide)) })
		return
	}
	w.show(w.run.font.code(g.id, text))
}

// hide writes the texts of a glyph's marks and tail without drawing them.
func (w *runWriter) hide(g glyph) {
	w.unseen(func() {
		for _, m := range g.marks {
			w.show(w.run.font.hidden(m.id, backwards(m.text), 0))
		}
		for _, r := range backwards(g.tail) {
			w.show(w.run.font.hidden(g.id, string(r), 0))
		}
	})
}

// unseen calls show with the invisible text rendering mode, so the text that show writes is not drawn.
func (w *runWriter) unseen(show func()) {
	w.close()
	w.out.WriteString("3 Tr\n")
	show()
	w.close()
	w.out.WriteString("0 Tr\n")
}

// maxGap is the maximum width of a gap within a word, in thousandths of the font size. pdf.js and
// poppler interpret a gap of 100 as a space.
const maxGap = 90

// place returns the position of a glyph. Kerning in Arabic creates gaps that PDF readers would
// interpret as spaces. place narrows such gaps and makes the next space wider.
func (w *runWriter) place(g glyph) float64 {
	if !w.run.leftwards || w.last == "" || isSpace(g.text) || isSpace(w.last) {
		w.lag = 0
		return g.x
	}
	most := w.pen + maxGap*w.run.size/1000
	w.lag = max(w.lag, g.x-most)
	return g.x - w.lag
}

// show writes a code.
func (w *runWriter) show(c int) {
	if !w.open {
		w.out.WriteByte('[')
		w.open = true
	}
	if !w.digits {
		w.out.WriteByte('<')
		w.digits = true
	}
	fmt.Fprintf(w.out, "%04X", c)
	w.pen += w.run.font.width(c) * w.run.size / 1000
}

// moveTo moves the pen, in thousandths of the font size (ISO 32000-1, 9.4.3, TJ).
func (w *runWriter) moveTo(x float64) {
	by := math.Round((w.pen - x) * 1000 / w.run.size)
	if by == 0 {
		return
	}
	if !w.open {
		w.out.WriteByte('[')
		w.open = true
	}
	if w.digits {
		w.out.WriteByte('>')
		w.digits = false
	}
	fmt.Fprintf(w.out, "%d", int(by))
	w.pen -= by * w.run.size / 1000
}

func (w *runWriter) close() {
	if w.digits {
		w.out.WriteByte('>')
	}
	if w.open {
		w.out.WriteString("] TJ\n")
	}
	w.open, w.digits = false, false
}

func isSpace(text string) bool { return strings.TrimSpace(text) == "" }

// isUnseen reports whether a text consists only of spaces and format characters, such as the joiners
// in Persian.
func isUnseen(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !isFormat(r) })
}

func hasLetter(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// isMark reports whether a text consists of nonspacing marks, which may be followed by joiners.
func isMark(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.Is(unicode.Mn, first) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.Mn, unicode.Cf) })
}

func backwards(text string) string {
	if utf8.RuneCountInString(text) < 2 {
		return text
	}
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}
