package pdf

import "testing"

// A paragraph has one direction, that of its element, whatever language most of its letters have.
func TestLinesOfAParagraphAreReadInItsDirection(t *testing.T) {
	run := func(text string, baseline float64, leftwards bool) piece {
		r := &run{leftwards: leftwards}
		r.baseline = baseline
		r.glyphs = []glyph{{text: text}}
		return piece{run: r}
	}
	lines := []piece{
		run("وحلل البيانات في الرياض والخبر", 1, true), run("English words ", 2, false), run("ثم ", 2, true),
	}
	for rtl, want := range map[bool]string{
		true:  "وحلل البيانات في الرياض والخبر|ثم |English words |",
		false: "وحلل البيانات في الرياض والخبر|English words |ثم |",
	} {
		got := ""
		for _, p := range inReadingOrder(lines, rtl) {
			got += p.run.text() + "|"
		}
		if got != want {
			t.Errorf("from right to left %v: read as %q, want %q", rtl, got, want)
		}
	}
}
