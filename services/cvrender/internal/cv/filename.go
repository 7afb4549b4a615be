package cv

import (
	"strings"
	"unicode"
)

// filenameRunes bounds the name's part of a file name, so that even four bytes a
// rune stay below the 255 bytes of common file systems.
const filenameRunes = 60

// Filename is the name that a CV's PDF is offered under, for example
// "Layla Haddad CV.pdf". The person's name keeps its script and loses what a
// file system or a header could stumble over.
func Filename(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), strings.ContainsRune(`/\:*?"<>|;%`, r):
			return ' '
		// Control and formatting characters, among them those that turn the
		// direction of text and so could disguise the extension.
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar, !unicode.IsPrint(r):
			return -1
		}
		return r
	}, name)
	runes := []rune(strings.Join(strings.Fields(clean), " "))
	if len(runes) > filenameRunes {
		runes = runes[:filenameRunes]
	}
	clean = strings.Trim(string(runes), ". ")
	if clean == "" {
		return "CV.pdf"
	}
	return clean + " CV.pdf"
}
