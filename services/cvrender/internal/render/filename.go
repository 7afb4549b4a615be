package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// filenameRunes limits the length of the person's name, so that it stays below filenameBytes even if every
// rune takes four bytes. The title can use the remaining bytes.
const (
	filenameRunes = 60
	filenameBytes = 255
)

// filename returns the file name for a CV's PDF, for example "Layla Haddad CV.pdf". For CVs other than the
// main CV, it includes the title: "Layla Haddad CV (For designers).pdf". The name and title keep their
// script, but characters that have a meaning in file systems or headers are removed.
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
		// Remove control and formatting characters. Some of them change the text direction and could disguise
		// the file extension.
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar, !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)), " ")
}
