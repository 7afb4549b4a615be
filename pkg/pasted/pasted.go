// Package pasted cleans up text that people paste from other programs.
package pasted

import (
	"strings"
	"unicode"
)

// wordBullet is the bullet of the old Symbol font used by Word. It is a private-use character, which
// other fonts lack.
const wordBullet = '\uf0b7'

// Text replaces all line and paragraph separators (Unicode Standard 5.8) with line feeds.
// Presentation software and phones use U+000B, U+2028 and others, which display as nothing or as a
// box, and would join two words. Other control characters and wordBullet become spaces; tabs are
// kept.
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

// Line returns s as a single line, with single spaces between words.
func Line(s string) string { return strings.Join(strings.Fields(Text(s)), " ") }

func isForeign(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u2028' || r == '\u2029' || r == wordBullet
}
