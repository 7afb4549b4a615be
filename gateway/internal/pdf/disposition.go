package pdf

import (
	"strings"
	"unicode"
)

const defaultFilename = "CV.pdf"

// inline is the Content-Disposition for a document to be shown under a name
// (RFC 6266 §4, Appendix D): an ASCII form for the oldest clients, the real one
// for the rest.
func inline(filename string) string {
	filename = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '/' || r == '\\' || unicode.Is(unicode.Bidi_Control, r) {
			return -1 // no paths, and no name that reads as another
		}
		return r
	}, strings.ToValidUTF8(filename, ""))
	filename = strings.TrimSpace(filename)
	if filename == "" {
		filename = defaultFilename
	}
	return `inline; filename="` + asciiName(filename) + `"; filename*=UTF-8''` + extValue(filename)
}

// asciiName leaves what a quoted-string holds without escapes in every client.
func asciiName(filename string) string {
	ascii := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r > 0x7e || r == '"' || r == '%' {
			return -1
		}
		return r
	}, filename)), " ")
	ascii = strings.TrimLeft(ascii, " .-_") // what is left of "د. عائشة CV.pdf" must not be a hidden file
	if stem := strings.TrimSuffix(ascii, ".pdf"); strings.Trim(stem, " .-_") == "" || ascii == "pdf" {
		return defaultFilename
	}
	return ascii
}

// extValue percent-encodes what is not an attr-char (RFC 8187 §3.2.1).
func extValue(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if isAttrChar(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&0xf]})
		}
	}
	return b.String()
}

func isAttrChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0
}
