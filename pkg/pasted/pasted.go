// Package pasted cleans text that people paste from other programs.
package pasted

import (
	"strings"
	"unicode"
)

// wordBullet is the bullet of Word's old Symbol font, a character for private use that no
// other font has.
const wordBullet = '\uf0b7'

// Text returns s with a line feed for every line and paragraph separator (Unicode Standard 5.8):
// slides and phones separate lines by U+000B, U+2028 and others, which draw nothing or a box and so
// join two words. Other control characters and wordBullet become spaces; tabs stay.
func Text(s string) string {
	if !strings.ContainsFunc(s, isForeign) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !isForeign(r):
			return r
		case strings.ContainsRune("\r\v\f\u0085\u2028\u2029", r):
			return '\n'
		}
		return ' '
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// Line returns s as a single line: each run of white space is one space, and none is at its ends.
func Line(s string) string { return strings.Join(strings.Fields(Text(s)), " ") }

func isForeign(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u2028' || r == '\u2029' || r == wordBullet
}
