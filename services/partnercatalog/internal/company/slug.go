package company

import (
	"crypto/rand"
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxSlug is the longest slug in characters (decision 25).
	maxSlug = 64
	// maxStem is the longest start of a numbered slug: what a hyphen and ten digits
	// leave. The cut does not depend on the number, so that names with one stem
	// share one series, and series of other stems never meet it.
	maxStem = maxSlug - 11
	// randomLetters is how many letters follow `company-`: 26^8 such slugs.
	randomLetters = 8
)

// deriveSlug makes a slug of a name (decision 25). Latin letters lose their
// diacritics and other letters beside them are left out; a name without Latin
// letters is transliterated; one of which nothing can be spelt becomes `company-`
// and random letters.
func deriveSlug(name string) string {
	if slug := cut(spell(name), maxSlug); slug != "" {
		return slug
	}
	return "company-" + letters(randomLetters)
}

// stemOf is what the numbered slugs of a derived slug begin with.
func stemOf(slug string) string { return cut(slug, maxStem) }

// cut shortens a slug and leaves no hyphen at its end.
func cut(slug string, limit int) string {
	return strings.TrimRight(slug[:min(len(slug), limit)], "-")
}

// spell writes a name with a-z, 0-9 and single hyphens between words; empty when
// nothing of it can be spelt.
func spell(name string) string {
	// Compatibility forms become the letters that they stand for (ﬁ, Ａ, ﻻ), and
	// letters with marks the single characters that the tables have.
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
			case c != '\'' && c != '`': // tables write soft signs and glottal stops so
				gap = true
			}
		}
	}
	return out.String()
}

// isInsideWord reports whether r is written in a word and not a letter of it:
// apostrophes, marks that have no character of their own with their letter, and
// invisible characters.
func isInsideWord(r rune) bool {
	return strings.ContainsRune("'’‘ʼʻ`´", r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf)
}

// transliterate writes one character in ASCII, as a space when it has no spelling
// or is a letter that is not Latin and latinOnly says to leave those out.
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
			// 234 is the largest multiple of 26 in a byte: no letter is likelier.
			if b < 234 && len(out) < n {
				out = append(out, 'a'+b%26)
			}
		}
	}
	return string(out)
}
