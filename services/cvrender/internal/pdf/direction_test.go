package pdf

import "testing"

// A paragraph has one direction, also in a line that has more letters of the other language.
func TestLinesOfAParagraphAreReadInItsDirection(t *testing.T) {
	run := func(text string, baseline float64, leftwards bool) piece {
		r := &run{leftwards: leftwards}
		r.baseline = baseline
		r.glyphs = []glyph{{text: text}}
		return piece{run: r}
	}
	got := ""
	for _, p := range inReadingOrder([]piece{
		run("وحلل البيانات في الرياض والخبر", 1, true), run("English words ", 2, false), run("ثم ", 2, true),
	}, false) {
		got += p.run.text() + "|"
	}
	if want := "وحلل البيانات في الرياض والخبر|ثم |English words |"; got != want {
		t.Errorf("read as %q, want %q", got, want)
	}
}
