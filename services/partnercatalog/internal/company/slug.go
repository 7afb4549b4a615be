package company

import (
	"crypto/rand"
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxSlug is the longest slug in characters (behaviour: companies#slugs).
	maxSlug = 64
	// maxStem is the longest start of a numbered slug: it leaves room for a hyphen and
	// ten digits. The cut does not depend on the number, so names with the same stem
	// share one series, and the series of two stems never meet.
	maxStem = maxSlug - 11
	// randomLetters is how many letters follow `company-`: 26^8 such slugs.
	randomLetters = 8
)

// deriveSlug makes a slug from a name (behaviour: companies#slugs). Latin letters lose
// their diacritics, and letters of other scripts beside them are left out. A name
// without Latin letters is transliterated. A name without any letter or digit that
// can be spelt becomes `company-` and random letters.
func deriveSlug(name string) string {
	if slug := cut(spell(name), maxSlug); slug != "" {
		return slug
	}
	return "company-" + letters(randomLetters)
}

// stemOf is the start of the numbered slugs that follow a derived slug.
func stemOf(slug string) string { return cut(slug, maxStem) }

// cut shortens a slug and leaves no hyphen at its end.
func cut(slug string, limit int) string {
	return strings.TrimRight(slug[:min(len(slug), limit)], "-")
}

// spell writes a name with a-z, 0-9 and single hyphens between words. It gives empty
// text when no character can be spelt.
func spell(name string) string {
	// NFKC turns compatibility forms (ﬁ, Ａ, ﻻ) into plain letters, and letters with
	// marks into the single characters that the tables have.
	name = norm.NFKC.String(name)
	latinOnly := strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	var out strings.Builder
	gap := false // a word ended since the last character that was written
	for _, r := range name {
		if isInsideWord(r) {
			continue
		}
		for _, c := range strings.ToLower(transliterate(r, latinOnly)) {
			switch {
			case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
				if gap && out.Len() > 0 {
					out.WriteByte('-')
				}
				gap = false
				out.WriteRune(c)
			case c != '\'' && c != '`': // the tables write soft signs and glottal stops with these
				gap = true
			}
		}
	}
	return out.String()
}

// isInsideWord reports whether r can stand inside a word without being a letter: an
// apostrophe, a mark that does not combine with its letter into one character, or an
// invisible character.
func isInsideWord(r rune) bool {
	return strings.ContainsRune("'’‘ʼʻ`´", r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf)
}

// transliterate writes one character in ASCII. A character without a spelling becomes
// a space, and so does a letter that is not Latin if latinOnly is true.
func transliterate(r rune, latinOnly bool) string {
	switch {
	case r < unicode.MaxASCII:
		return string(r)
	case latinOnly && unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r):
		return " "
	case !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return " "
	}
	if spelt, ok := arabic[r]; ok {
		return spelt
	}
	return unidecode.Unidecode(string(r))
}

// letters gives n random lower-case letters.
func letters(n int) string {
	out := make([]byte, 0, n)
	for raw := make([]byte, n); len(out) < n; {
		_, _ = rand.Read(raw) // never fails
		for _, b := range raw {
			// 234 is the largest multiple of 26 in a byte. Bytes from there on would make
			// some letters likelier than others.
			if b < 234 && len(out) < n {
				out = append(out, 'a'+b%26)
			}
		}
	}
	return string(out)
}
