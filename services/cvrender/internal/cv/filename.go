package cv

import (
	"strings"
	"unicode"
)

// filenameRunes bounds the name's part of a file name, so that even four bytes a
// rune stay below the 255 bytes of common file systems.
const filenameRunes = 60

// Filename gives the name of a CV's PDF, for example "Layla Haddad CV.pdf". The person's
// name keeps its script, and loses characters with a meaning in file systems or
// headers.
func Filename(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), strings.ContainsRune(`/\:*?"<>|;%`, r):
			return ' '
		// Control and formatting characters. Some of them change the direction of the text
		// and could disguise the extension.
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
