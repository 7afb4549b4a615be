package company

import (
	"crypto/rand"
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxSlug is the maximum length of a slug, in characters (behaviour: companies#slugs).
	maxSlug = 64
	// maxStem is the maximum length of the stem of a numbered slug. It leaves room for a hyphen and
	// ten digits. It does not depend on the number, so names with the same stem share one series of
	// numbers, and two series never produce the same slug.
	maxStem = maxSlug - 11
	// randomLetters is the number of letters that follow `company-` in a random slug.
	randomLetters = 8
)

// deriveSlug returns a slug derived from a name (behaviour: companies#slugs). Latin letters lose
// their diacritics, and letters of other scripts in the same name are dropped. A name without Latin
// letters is romanized. If nothing can be romanized, the slug consists of `company-` and random
// letters.
func deriveSlug(name string) string {
	if slug := cut(spell(name), maxSlug); slug != "" {
		return slug
	}
	return "company-" + letters(randomLetters)
}

// stemOf returns the part of a numbered slug that precedes the number.
func stemOf(slug string) string { return cut(slug, maxStem) }

// cut shortens a slug and trims trailing hyphens.
func cut(slug string, limit int) string {
	return strings.TrimRight(slug[:min(len(slug), limit)], "-")
}

// spell returns a name written with a-z, 0-9 and single hyphens between words. It returns "" if no
// character can be romanized.
func spell(name string) string {
	// NFKC converts compatibility forms (ﬁ, Ａ, ﻻ) to plain letters, and composes letters and marks
	// into the characters that the tables contain.
	name = norm.NFKC.String(name)
	latinOnly := strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	var out strings.Builder
	gap := false // whether a word has ended since the last character was written
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
			case c != '\'' && c != '`': // the tables use these for soft signs and glottal stops
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

// transliterate returns the ASCII spelling of a character. It returns a space for a character that
// cannot be romanized, and for a non-Latin letter if latinOnly is true.
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
			// 234 is the largest multiple of 26 that fits in a byte. Larger bytes would make some
			// letters more likely than others.
			if b < 234 && len(out) < n {
				out = append(out, 'a'+b%26)
			}
		}
	}
	return string(out)
}
