package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// filenameRunes limits the name in a file name, so that even four bytes a rune stay below
// filenameBytes. The title takes the rest.
const (
	filenameRunes = 60
	filenameBytes = 255
)

// filename returns the name of a CV's PDF, for example "Layla Haddad CV.pdf", or with the title of
// a CV other than the main one, "Layla Haddad CV (For designers).pdf". Both keep their script, and
// lose characters with a meaning in file systems or headers.
func filename(c *cvv1.SharedCv) string {
	runes := []rune(harmless(c.GetDocument().GetName()))
	name := strings.Trim(string(runes[:min(len(runes), filenameRunes)]), ". ")
	out := strings.TrimSpace(name + " CV")
	room := filenameBytes - len(out+" ().pdf")
	title := ""
	if !c.GetIsMainCv() {
		title = harmless(c.GetTitle())
	}
	for len(title) > room {
		_, last := utf8.DecodeLastRuneInString(title)
		title = title[:len(title)-last]
	}
	if title = strings.Trim(title, ". "); title != "" {
		out += " (" + title + ")"
	}
	return out + ".pdf"
}

func harmless(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), strings.ContainsRune(`/\:*?"<>|;%`, r):
			return ' '
		// Control and formatting characters. Some of them change the text direction and could
		// disguise the extension.
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar, !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)), " ")
}
