package template

import (
	"fmt"
	"html/template"
	"strings"
	"unicode"
)

// foot returns the texts in the footer of every page, from left to right. The person's name is at the start
// of the line, and the page number is at its end.
func (w *words) foot(person string) (left, right template.CSS) {
	name, page := template.CSS(cssString(person)), template.CSS(w.Page)
	if w.Direction == "rtl" {
		return page, name
	}
	return name, page
}

// cssString formats a string as a CSS string (CSS Syntax 3, 4.3.5). It escapes everything except letters,
// marks, digits and spaces, so no value can end the string or the style.
func cssString(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd), r == ' ':
			out.WriteRune(r)
		case r != 0:
			fmt.Fprintf(&out, "\\%x ", r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
