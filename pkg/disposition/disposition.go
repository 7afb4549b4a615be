// Package disposition formats Content-Disposition headers (RFC 6266) for file names that people chose,
// in any script.
//
// Its output never contains paths, line breaks, or characters that change the text direction.
package disposition

import (
	"path"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Inline returns the header for a file that the browser should display. The fallback name is used if
// filename has no usable characters. It must be ASCII and have the extension of the file type.
func Inline(filename, fallback string) string { return header("inline", filename, fallback) }

// Attachment returns the header for a file that the browser should save. The fallback is as for Inline.
func Attachment(filename, fallback string) string { return header("attachment", filename, fallback) }

// header returns a header with an ASCII form of the name for old clients and the real name for all
// others (RFC 6266 §4, Appendix D).
func header(kind, filename, fallback string) string {
	filename = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '/' || r == '\\' || unicode.Is(unicode.Bidi_Control, r) {
			return -1 // drop path separators and characters that can disguise the extension
		}
		return r
	}, strings.ToValidUTF8(filename, ""))
	filename = strings.TrimSpace(filename)
	if filename == "" {
		filename = fallback
	}
	return kind + `; filename="` + asciiName(filename, fallback) + `"; filename*=UTF-8''` + extValue(filename)
}

// letters replaces Latin letters that do not decompose into a base letter and a mark (Unicode Standard
// 7.1), and punctuation.
var letters = strings.NewReplacer("đ", "d", "Đ", "D", "ð", "d", "Ð", "D", "ħ", "h", "Ħ", "H", "ı", "i", "ł", "l", "Ł", "L", "ŋ", "n", "Ŋ", "N",
	"ø", "o", "Ø", "O", "ŧ", "t", "Ŧ", "T", "ß", "ss", "ẞ", "SS", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "þ", "th", "Þ", "Th", "ə", "e", "Ə", "E",
	"’", "'", "ʼ", "'", "‐", "-", "‑", "-", "–", "-", "—", "-")

// emptied matches brackets that are empty in ASCII, as in "Layla CV (للمصممين).pdf".
var emptied = regexp.MustCompile(`\([ .,_-]*\)`)

// asciiName removes the characters that some clients do not accept unescaped in a quoted-string, and
// strips the diacritics from Latin letters. It returns fallback if nothing usable remains.
func asciiName(filename, fallback string) string {
	filename = letters.Replace(norm.NFD.String(filename))
	ascii := strings.Map(func(r rune) rune {
		if r > 0x7e || r == '"' || r == '%' {
			return -1
		}
		return r
	}, filename)
	ascii = strings.Join(strings.Fields(emptied.ReplaceAllString(ascii, "")), " ")
	ascii = strings.TrimLeft(ascii, " .-_") // "د. عائشة CV.pdf" must not become a hidden file
	extension := path.Ext(fallback)
	stem, hasType := strings.CutSuffix(ascii, extension)
	if stem = strings.TrimRight(stem, " "); strings.Trim(stem, " .-_") == "" || "."+ascii == extension {
		return fallback
	}
	if hasType {
		return stem + extension
	}
	return stem
}

// extValue percent-encodes all characters that are not attr-char (RFC 8187 §3.2.1).
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
