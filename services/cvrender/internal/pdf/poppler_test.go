package pdf

import (
	"strings"
	"testing"
)

// line returns the runs of a line in reading order. The page also contains other text.
func line(page string, runs ...string) []*mark {
	f := &font{texts: map[int]string{}, widths: map[int]float64{}, defaultWidth: 500}
	m := &mark{tag: "/P <</MCID 0>> BDC\n"}
	// The other text on the page is on a different line.
	m.pieces = append(m.pieces, piece{run: set(f, page, 0, 100)})
	for _, one := range runs {
		// Each run has the form TEXT@X. The runs are in visual order.
		text, at, _ := strings.Cut(one, "@")
		m.pieces = append(m.pieces, piece{run: set(f, text, float64(whole([]byte(at))), 10)})
	}
	return []*mark{m}
}

func set(f *font, text string, x, baseline float64) *run {
	r := &run{font: f, fontName: []byte("/F1"), size: 10, matrix: []byte("1 0 0 -1 0 10"), scale: 1, x: x, baseline: baseline}
	for _, c := range text {
		r.glyphs = append(r.glyphs, glyph{id: int(c), x: 5 * float64(len(r.glyphs)), text: string(c)})
		r.leftwards = r.leftwards || isRightToLeft(string(c))
	}
	return r
}

// shifts returns by how many steps the baseline of each run in a line is shifted.
func shifts(marks []*mark) (out []int) {
	for _, p := range marks[0].pieces[1:] {
		out = append(out, int(p.run.shift/step+0.5))
	}
	return out
}

func TestLineAgainstPageIsSplitForPoppler(t *testing.T) {
	for _, c := range []struct {
		name, page string
		runs       []string
		want       string
		hints      int
	}{
		{"in the direction of the page", "abcdefgh", []string{"abc @0", "بتث@100", "def@200"}, "0 0 0", 0},
		{"against the direction of the page", "abcdefgh", []string{"بتث@200", "abc@100", "جحخ@0"}, "0 1 2", 2},
		{"against the direction of an Arabic page", "بتثجحخدذ", []string{"ab@0", "بتث@100", "de@200"}, "0 1 2", 2},
		{"in the direction of an Arabic page", "بتثجحخدذ", []string{"بتث@200", "ab@100", "جحخ@0"}, "0 0 0", 0},
		{"a sentence against the direction of the page", "abcdefgh", []string{".بت@0"}, "0 1", 1},
		{"a sentence against the direction of an Arabic page", "بتثجحخدذ", []string{"ab.@0"}, "0", 1},
	} {
		marks := line(c.page, c.runs...)
		hints := helpPoppler(marks)
		var got []string
		for _, n := range shifts(marks) {
			got = append(got, string(rune('0'+n)))
		}
		if strings.Join(got, " ") != c.want || len(hints) != c.hints {
			t.Errorf("%s: the runs are shifted by %v with %d marks, want %s with %d", c.name, got, len(hints), c.want, c.hints)
		}
	}
}

// A number after Arabic words belongs to them, even in an English line (UAX 9, W2).
func TestNumberStaysAmongArabicWords(t *testing.T) {
	f := &font{texts: map[int]string{}, widths: map[int]float64{}, defaultWidth: 500}
	read := ""
	for _, p := range inReadingOrder([]piece{
		{run: set(f, "خدم", 0, 10)}, {run: set(f, "9", 50, 10)}, {run: set(f, "يف", 100, 10)}, {run: set(f, " and more English", 150, 10)},
	}, false) {
		read += p.run.text() + "|"
	}
	if want := "يف|9|خدم| and more English|"; read != want {
		t.Errorf("the line is read as %q, want %q", read, want)
	}
}
