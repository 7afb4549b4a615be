package cvimport

import (
	"strings"
	"testing"
)

// Each piece ends at the next angle bracket, so no byte after it is read to find its end, however long
// the string is.
func TestTextIsScannedOnce(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"<p ", "<", ">", "<p>", "< a", "</p", `<a href="`, "<a href=x>y</a>", "text", "\n"} {
		s := strings.Repeat(part, 1000)
		var all strings.Builder
		for piece, isTag := range pieces(s) {
			all.WriteString(piece)
			inside := piece[1:]
			if isTag {
				inside = strings.TrimSuffix(inside, ">")
			}
			if strings.ContainsAny(inside, "<>") {
				t.Fatalf("%q: %q is a single piece", part, piece)
			}
		}
		if all.String() != s {
			t.Errorf("%q: the pieces do not add up to the text", part)
		}
	}
}

func TestPlaceContainsCountryOnce(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"Sharjah", "Sharjah", "AE", "Sharjah, United Arab Emirates"}, {"الشارقة", "", "ae", "الشارقة، الإمارات العربية المتحدة"},
		{"Leeds", "Yorkshire", "England", "Leeds, Yorkshire, England"}, {"", "", "", ""},
	} {
		if got := located(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%q, want %q", got, c[3])
		}
	}
}

func TestURLsOfLinksAreKept(t *testing.T) {
	t.Parallel()
	for fragment, want := range map[string]string{
		`<a href="x.example">here</a>.`:                        "here (x.example).",
		`<A class='b' HREF = 'x.example'>x.example</A >`:       "x.example",
		`<a href=x.example?a=1&amp;b=2><b>here</b></a>`:        "here (x.example?a=1&b=2)",
		`<a data-href="no" href="x.example">here</a>`:          "here (x.example)",
		`<a href="x.example">here<a href="y.example">there`:    "here (x.example)there (y.example)",
		`<a name="no">here</a> <a>there</a> <a href>again</a>`: "here there again",
	} {
		if got := plain(fragment); got != want {
			t.Errorf("%s: %q, want %q", fragment, got, want)
		}
	}
}
