package web

import (
	"hash/fnv"
	"strings"
	"unicode"
)

// shades is how many colours of monogram the style sheet has.
const shades = 6

// initials are the letters that stand for a name without a picture: two in scripts
// that have capitals, one in other scripts, whose letters would join.
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

// shade picks the colour of a monogram, always the same for the same name.
func shade(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return int(h.Sum32() % shades)
}
