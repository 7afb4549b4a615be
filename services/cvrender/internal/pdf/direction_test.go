package pdf

import "testing"

// The direction of a paragraph is that of its HTML element, whatever the language of most of its
// letters.
func TestLinesUseDirectionOfParagraph(t *testing.T) {
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
			t.Errorf("right-to-left %v: the line is read as %q, want %q", rtl, got, want)
		}
	}
}

// The footer of a page contains two separate texts on one line: the name and, to the left of it,
// the page number.
func TestAdjacentTextsAreReadSeparately(t *testing.T) {
	run := func(text string, x float64, leftwards bool) piece {
		return piece{run: &run{leftwards: leftwards, x: x, glyphs: []glyph{{text: text}}}}
	}
	got := ""
	for _, text := range apart([]piece{
		run("Yousef Darwish", 655, false), run("2", 67, false), run("من", 73, true), run("1", 90, false), run("صفحة", 96, true),
	}) {
		for _, p := range inReadingOrder(text, true) {
			got += p.run.text() + "|"
		}
	}
	if want := "Yousef Darwish|صفحة|1|من|2|"; got != want {
		t.Errorf("the footer is read as %q, want %q", got, want)
	}
}
