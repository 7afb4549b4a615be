// Package disposition writes Content-Disposition headers (RFC 6266) for files
// that people named, in any script.
//
// It never lets a name hold a path, a line end, or characters that make it read
// as another.
package disposition

import (
	"path"
	"strings"
	"unicode"
)

// Inline is the header of a file to be shown. The fallback names it when filename
// cannot: it is ASCII, with the extension of its kind.
func Inline(filename, fallback string) string { return header("inline", filename, fallback) }

// Attachment is the header of a file to be saved. The fallback is as for Inline.
func Attachment(filename, fallback string) string { return header("attachment", filename, fallback) }

// header has an ASCII form of the name for the oldest clients, and the real one
// for the rest (RFC 6266 §4, Appendix D).
func header(kind, filename, fallback string) string {
	filename = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '/' || r == '\\' || unicode.Is(unicode.Bidi_Control, r) {
			return -1 // no paths, and no name that reads as another
		}
		return r
	}, strings.ToValidUTF8(filename, ""))
	filename = strings.TrimSpace(filename)
	if filename == "" {
		filename = fallback
	}
	return kind + `; filename="` + asciiName(filename, fallback) + `"; filename*=UTF-8''` + extValue(filename)
}

// asciiName leaves what a quoted-string holds without escapes in every client.
func asciiName(filename, fallback string) string {
	ascii := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r > 0x7e || r == '"' || r == '%' {
			return -1
		}
		return r
	}, filename)), " ")
	ascii = strings.TrimLeft(ascii, " .-_") // what is left of "د. عائشة CV.pdf" must not be a hidden file
	extension := path.Ext(fallback)
	if stem := strings.TrimSuffix(ascii, extension); strings.Trim(stem, " .-_") == "" || "."+ascii == extension {
		return fallback
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
