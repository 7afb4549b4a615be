package application

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// separator separates the parts of a search text. Folded text never contains it, so a match cannot
// extend over two parts.
const separator = "\n"

// SearchText returns the text that a query is compared with. It consists of the name, the email
// address and the title of the submitted CV. The title is empty for a resume
// (behaviour: applications#search).
func SearchText(name, email, cvTitle string) string {
	return PersonText(name, email) + separator + Fold(cvTitle)
}

// PersonText returns the part of a search text that comes from the profile, which is everything
// before the last separator.
func PersonText(name, email string) string { return Fold(name) + separator + Fold(email) }

// letters maps each letter without a Unicode decomposition to a similar one that a search treats as
// equal. The Arabic letters are those of Lucene's ArabicNormalizer, with their Persian and Urdu
// forms. Alef with hamza or madda is not included, because Unicode decomposes it.
var letters = map[rune]string{
	'ٱ': "ا", // alef wasla
	'ى': "ي", // alef maqsura
	'ی': "ي", // Farsi yeh
	'ے': "ي", // yeh barree
	'ة': "ه", // taa marbuta
	'ە': "ه", // ae
	'ہ': "ه", // heh goal
	'ک': "ك", // keheh
	'ß': "ss",
	'ø': "o",
	'ł': "l",
	'đ': "d",
	'ð': "d",
	'ħ': "h",
	'ı': "i",
	'þ': "th",
	'æ': "ae",
	'œ': "oe",
}

// tatweel lengthens an Arabic word without changing its meaning.
const tatweel = '\u0640'

// Fold returns a form of the text that is the same for different spellings of the same words. It is
// in lower case and has no accents, vowel signs or invisible characters. Digits of all scripts
// become 0 to 9, and words are separated by a single space.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case r == tatweel || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		r = lower(r)
		if folded, ok := letters[r]; ok {
			b.WriteString(folded)
		} else if unicode.Is(unicode.Nd, r) {
			b.WriteByte(digit(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Orders returns the folded strings to search for, to be tried in this order until one matches. The
// first is the query itself. If the query may have the family name first, as in "haddad, layla" or
// "haddad layla", the others have it last. Both names may consist of several words.
func Orders(query string) []string {
	out := []string{query}
	if family, given, found := strings.Cut(strings.ReplaceAll(query, "،", ","), ","); found {
		family, given = strings.TrimSpace(family), strings.TrimSpace(given)
		if family != "" && given != "" {
			out = append(out, given+" "+family)
		}
		return out
	}
	words := strings.Fields(query)
	if n := len(words) - 1; n > 0 {
		out = append(out, strings.Join(words[1:], " ")+" "+words[0])
		if n > 1 {
			out = append(out, words[n]+" "+strings.Join(words[:n], " "))
		}
	}
	return out
}

// lower returns the same letter for all case variants of a letter, including special ones such as
// the final sigma. It never returns a combining mark, although Unicode lists one among the case
// variants of iota.
func lower(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		if !unicode.Is(unicode.Mn, next) {
			first = min(first, next)
		}
	}
	return unicode.ToLower(first)
}

// digit returns the ASCII digit for a decimal digit. In Unicode, the ten digits of a script are
// contiguous (Unicode standard, 4.6), and each range starts with zero.
func digit(r rune) byte {
	for _, t := range unicode.Nd.R16 {
		if uint16(r) >= t.Lo && uint16(r) <= t.Hi && r <= 0xFFFF {
			return '0' + byte((uint16(r)-t.Lo)%10)
		}
	}
	for _, t := range unicode.Nd.R32 {
		if uint32(r) >= t.Lo && uint32(r) <= t.Hi {
			return '0' + byte((uint32(r)-t.Lo)%10)
		}
	}
	return byte(r)
}
