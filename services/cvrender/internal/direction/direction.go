// Package direction determines the direction in which text is written.
package direction

import (
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// The directions of writing, as in HTML's dir attribute.
const (
	LeftToRight = "ltr"
	RightToLeft = "rtl"
)

// Of returns the direction of the first letter in text (UAX 9, P2), as browsers determine it for
// dir="auto" and bdi. It returns "" if there are no letters.
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
