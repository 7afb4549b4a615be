package cv

import (
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// Balance returns by how many the letters of a text that are written from right to left outnumber
// the others. The direction of a paragraph is that of most of its letters.
func Balance(text string) int {
	balance := 0
	for _, r := range text {
		switch {
		case IsRightToLeft(r):
			balance++
		case unicode.IsLetter(r):
			balance--
		}
	}
	return balance
}

// IsRightToLeft reports whether r is a letter that is written from right to left.
func IsRightToLeft(r rune) bool {
	properties, _ := bidi.LookupString(string(r))
	return unicode.IsLetter(r) && (properties.Class() == bidi.R || properties.Class() == bidi.AL)
}
