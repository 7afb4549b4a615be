package template

import (
	"unicode"

	"vitae.internal/services/cvrender/internal/cv"
)

// list is texts on one line, joined by the separator.
type list struct {
	// Items are parts of the line. Neighbours of one direction are one part.
	Items []part
}

// part is a text within a line.
type part struct {
	Text string
	// Apart says that the text is written against the direction of the CV's language, so
	// that its direction must not spread to what is around it.
	Apart bool
}

// list joins texts with commas. Neighbours that are written against the direction of the
// CV's language are joined as they are written: people, and programs that extract text from
// PDFs, read "Go, PostgreSQL" from left to right as a whole, also in an Arabic line.
func (w *words) list(texts ...string) list { return w.join(w.Comma, texts...) }

// dotted joins texts that have commas of their own with dots.
func (w *words) dotted(texts ...string) list { return w.join(" · ", texts...) }

func (w *words) join(separator string, texts ...string) list {
	var out list
	for _, t := range present(texts...) {
		apart := opposite(w, direction(t))
		last := len(out.Items) - 1
		switch {
		case last < 0:
			out.Items = append(out.Items, part{Text: t, Apart: apart != nil})
		case out.Items[last].Apart && apart != nil:
			out.Items[last].Text += apart.Comma + t
		case out.Items[last].Apart || apart != nil:
			out.Items = append(out.Items, part{Text: separator}, part{Text: t, Apart: apart != nil})
		default:
			out.Items[last].Text += separator + t
		}
	}
	return out
}

// part gives a text that stands within a line.
func (w *words) part(text string) part {
	return part{Text: text, Apart: opposite(w, direction(text)) != nil}
}

// line gives a text that stands on lines of its own. Its direction is that of most of its
// letters.
func (w *words) line(text string) line {
	out := line{Text: text}
	balance := cv.Balance(text)
	if dir := map[bool]string{true: "rtl", false: "ltr"}[balance > 0]; balance != 0 && dir != w.Direction {
		out.Dir = dir
	}
	return out
}

func (w *words) lines(texts ...string) []line {
	var out []line
	for _, t := range texts {
		out = append(out, w.line(t))
	}
	return out
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

// direction gives the direction of the first letter (UAX 9, P2), "" without letters.
func direction(text string) string {
	for _, r := range text {
		switch {
		case cv.IsRightToLeft(r):
			return "rtl"
		case unicode.IsLetter(r):
			return "ltr"
		}
	}
	return ""
}
