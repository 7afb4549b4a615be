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
	// maxStem is the longest stem of a numbered slug. It leaves room for a hyphen and ten digits.
	// It is independent of the number, so that names with the same stem share one series and two
	// series never collide.
	maxStem = maxSlug - 11
	// randomLetters is how many letters follow `company-` in a random slug.
	randomLetters = 8
)

// deriveSlug makes a slug from a name (behaviour: companies#slugs). Latin letters lose their
// diacritics, and letters of other scripts in the same name are dropped. A name without Latin
// letters is romanized. If nothing can be romanized, the slug is `company-` and random letters.
func deriveSlug(name string) string {
	if slug := cut(spell(name), maxSlug); slug != "" {
		return slug
	}
	return "company-" + letters(randomLetters)
}

// stemOf returns the part of a derived slug that precedes the number.
func stemOf(slug string) string { return cut(slug, maxStem) }

// cut shortens a slug and trims hyphens at its end.
func cut(slug string, limit int) string {
	return strings.TrimRight(slug[:min(len(slug), limit)], "-")
}

// spell writes a name with a-z, 0-9 and single hyphens between words. The result is empty if no
// character can be romanized.
func spell(name string) string {
	// NFKC turns compatibility forms (ﬁ, Ａ, ﻻ) into plain letters, and composes letters
	// and marks into the characters that the tables contain.
	name = norm.NFKC.String(name)
	latinOnly := strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	var out strings.Builder
	gap := false // a word has ended since the last character written
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

// isInsideWord reports whether r can occur inside a word without being a letter: an apostrophe, a
// combining mark without a composed form, or an invisible character.
func isInsideWord(r rune) bool {
	return strings.ContainsRune("'’‘ʼʻ`´", r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf)
}

// transliterate writes one character in ASCII. Characters without a romanization become a space,
// and so do non-Latin letters if latinOnly is true.
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

func letters(n int) string {
	out := make([]byte, 0, n)
	for raw := make([]byte, n); len(out) < n; {
		_, _ = rand.Read(raw) // never fails
		for _, b := range raw {
			// 234 is the largest multiple of 26 that fits. Using larger bytes would make some
			// letters more likely than others.
			if b < 234 && len(out) < n {
				out = append(out, 'a'+b%26)
			}
		}
	}
	return string(out)
}
