package template

import "vitae.internal/services/cvrender/internal/direction"

// list is a line of short texts with separators.
type list struct {
	// Items are the parts of the line. Adjacent texts with the same direction form one part.
	Items []part
}

// part is a text within a line.
type part struct {
	Text string
	// Against is set if the part has the opposite direction to the line, so it must be isolated from the
	// surrounding text. It holds the words of a language with that direction.
	Against *words
}

// list joins texts with commas. Adjacent texts whose direction is opposite to that of the CV's language are
// joined in their own direction. This is because people and programs that extract text read "Go,
// PostgreSQL" from left to right, even in an Arabic line.
func (w *words) list(texts ...string) list { return w.join(w.Comma, texts...) }

// dotted joins texts that may contain commas, using dots as separators.
func (w *words) dotted(texts ...string) list { return w.join(" · ", texts...) }

func (w *words) join(separator string, texts ...string) list {
	var out list
	for _, t := range present(texts...) {
		against := w.against(t)
		last := len(out.Items) - 1
		switch {
		case last < 0:
			out.Items = append(out.Items, part{Text: t, Against: against})
		case out.Items[last].Against != nil && against != nil:
			out.Items[last].Text += against.Comma + t
		case out.Items[last].Against != nil || against != nil:
			out.Items = append(out.Items, part{Text: separator}, part{Text: t, Against: against})
		default:
			out.Items[last].Text += separator + t
		}
	}
	return out
}

func (w *words) part(text string) part { return part{Text: text, Against: w.against(text)} }

func (w *words) line(text string) line { return line{Text: text, Against: w.against(text)} }

func (w *words) lines(texts ...string) []line {
	var out []line
	for _, t := range texts {
		out = append(out, w.line(t))
	}
	return out
}

// against returns the words of the language that has the direction of text, or nil if that is also the
// direction of w.
func (w *words) against(text string) *words {
	of := direction.Of(text)
	for _, other := range []*words{&english, &arabic} {
		if of == other.Direction && of != w.Direction {
			return other
		}
	}
	return nil
}
