// Package direction finds the direction in which a text is written.
package direction

import (
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// The directions of writing, as in HTML's dir.
const (
	LeftToRight = "ltr"
	RightToLeft = "rtl"
)

// Of returns the direction of the first letter of a text (UAX 9, P2), as browsers do for
// dir="auto" and bdi. It is empty without letters.
func Of(text string) string {
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

// IsRightToLeft reports whether r is a letter of a right-to-left script.
func IsRightToLeft(r rune) bool {
	properties, _ := bidi.LookupString(string(r))
	return unicode.IsLetter(r) && (properties.Class() == bidi.R || properties.Class() == bidi.AL)
}
