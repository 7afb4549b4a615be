package web

import (
	"hash/fnv"
	"strings"
	"unicode"
)

// shades is the number of monogram colors in the style sheet.
const shades = 6

// initials returns the letters to show instead of a missing picture. It returns two letters for scripts with
// capitals, but only one for other scripts, because their letters would join.
func initials(name string) string {
	var out []rune
	for word := range strings.FieldsSeq(name) {
		for _, r := range word {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				continue
			}
			out = append(out, unicode.ToUpper(r))
			break
		}
		if len(out) == 2 || (len(out) == 1 && unicode.ToUpper(out[0]) == unicode.ToLower(out[0])) {
			break
		}
	}
	if len(out) == 0 {
		return "·"
	}
	return string(out)
}

// shade returns the color of a name's monogram.
func shade(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return int(h.Sum32() % shades)
}
