package template

import (
	"unicode"
)

// list is texts on one line. Each may have its own direction.
type list struct {
	Items     []string
	Separator string
}

// list joins neighbours that are written against the direction of the CV's language into
// one item. People, and programs that extract text from PDFs, read "Go, PostgreSQL" from
// left to right as a whole, also in an Arabic line.
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

// opposite gives the words of the language with the direction dir, nil if that is the
// direction of w or none.
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

// direction gives the direction of the first letter (UAX 9, P2), "" without letters.
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
