package template

import (
	"unicode"
)

// list is texts on one line, each of which may have its own direction.
type list struct {
	Items     []string
	Separator string
}

// list joins neighbours that run against the language of the CV into one item:
// "Go, PostgreSQL" is read from left to right as a whole, in an Arabic line too,
// by people and by the programs that take text out of PDFs.
func (w *words) list(texts ...string) list {
	l := list{Separator: w.Comma}
	joined := false
	for _, t := range present(texts...) {
		other := opposite(w, direction(t))
		if other != nil && joined {
			l.Items[len(l.Items)-1] += other.Comma + t
		} else {
			l.Items = append(l.Items, t)
		}
		joined = other != nil
	}
	return l
}

// opposite are the words of the language that runs in the direction dir, or nil
// if that is the direction of w or none.
func opposite(w *words, dir string) *words {
	for _, other := range []*words{&english, &arabic} {
		if dir == other.Direction && dir != w.Direction {
			return other
		}
	}
	return nil
}

// rightToLeft are the scripts that are written from right to left.
var rightToLeft = []*unicode.RangeTable{unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko}

// direction is that of the first letter (UAX 9, P2), "" without letters.
func direction(text string) string {
	for _, r := range text {
		switch {
		case unicode.In(r, rightToLeft...):
			return "rtl"
		case unicode.IsLetter(r):
			return "ltr"
		}
	}
	return ""
}
