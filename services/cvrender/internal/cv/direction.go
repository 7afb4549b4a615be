package cv

import (
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// LeftToRight and RightToLeft are directions of writing, as in HTML's dir.
const (
	LeftToRight = "ltr"
	RightToLeft = "rtl"
)

// Direction returns the direction of a text: that of its first letter (UAX 9, P2), as browsers
// take it for dir="auto" and bdi. It is "" without letters.
func Direction(text string) string {
	for _, r := range text {
		switch {
		case IsRightToLeft(r):
			return RightToLeft
		case unicode.IsLetter(r):
			return LeftToRight
		}
	}
	return ""
}

// IsRightToLeft reports whether r is a letter that is written from right to left.
func IsRightToLeft(r rune) bool {
	properties, _ := bidi.LookupString(string(r))
	return unicode.IsLetter(r) && (properties.Class() == bidi.R || properties.Class() == bidi.AL)
}
