package pasted_test

import (
	"testing"

	"vitae.internal/pkg/pasted"
)

func TestSeparatorsBecomeLineFeeds(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\u2028b\u2029c\u0085d\ve\ff":         "a\nb\nc\nd\ne\nf",
		"a\r\nb\rc\nd":                         "a\nb\nc\nd",
		"a\x01b\x1cc\x7fd\u009fe\x00f\tg":      "a b c d e f\tg",
		"\uf0b7 one":                           "  one",
		"نورة\u2028المنصوري":                   "نورة\nالمنصوري",
		"👩\u200d💻 می\u200cخواهم \u00a0 \u200f": "👩\u200d💻 می\u200cخواهم \u00a0 \u200f",
		"": "",
	} {
		if got := pasted.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got := pasted.Line(" Layla\u2028 Haddad\v\n"); got != "Layla Haddad" {
		t.Errorf("Line returned %q", got)
	}
}
