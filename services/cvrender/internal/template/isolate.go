package template

import (
	"html/template"
	"regexp"
	"strings"
	"unicode"

	"vitae.internal/services/cvrender/internal/direction"
)

// signed matches a name with symbols at its ends, such as C++, C#, .NET or Yahoo!.
var signed = regexp.MustCompile(`[.#@+*]*[\pL\pN](?:[\pL\pM\pN.&/+#@*_’'-]*[\pL\pN])?[+#!*]*`)

// isolated isolates such names in right-to-left text. Otherwise, their symbols, which have no direction,
// would move to the other side of the name (UAX 9, N1).
func isolated(text string) template.HTML {
	if !strings.ContainsFunc(text, direction.IsRightToLeft) {
		return template.HTML(template.HTMLEscapeString(text))
	}
	var out strings.Builder
	end := 0
	// A right-to-left letter ends a name, because a conjunction can be attached to the name without a space.
	for _, at := range latin.FindAllStringIndex(text, -1) {
		for _, name := range signed.FindAllStringIndex(text[at[0]:at[1]], -1) {
			from, to := at[0]+name[0], at[0]+name[1]
			word := text[from:to]
			if strings.ContainsFunc(word, unicode.IsLetter) && strings.TrimFunc(word, isSign) != word {
				out.WriteString(template.HTMLEscapeString(text[end:from]) + "<bdi dir=\"ltr\">" + template.HTMLEscapeString(word) + "</bdi>")
				end = to
			}
		}
	}
	out.WriteString(template.HTMLEscapeString(text[end:]))
	return template.HTML(out.String())
}

// latin matches text without spaces or right-to-left letters.
var latin = regexp.MustCompile(`[^\s\p{Arabic}\p{Hebrew}\p{Syriac}\p{Thaana}\p{Nko}]+`)

func isSign(r rune) bool { return strings.ContainsRune(".#@+*!", r) }
