package fault

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text checks that s is valid in JSON and Postgres and has at most limit Unicode characters. It
// adds a fault if s is invalid, and reports whether it is valid.
func (l *List) Text(path, s string, limit int) bool {
	switch {
	case !utf8.ValidString(s):
		l.Add(path, "must be valid UTF-8")
	case strings.ContainsRune(s, 0):
		l.Add(path, "must not hold a NUL character")
	case utf8.RuneCountInString(s) > limit:
		l.Add(path, "must be at most %d characters", limit)
	default:
		return true
	}
	return false
}

// Line is like Text, but also requires a single line whose characters are displayed in the order in
// which they are stored. It rejects control characters, and characters that embed, override or
// isolate the text direction (Unicode TR36 §2.5). Direction marks, which Arabic needs next to
// Latin, are allowed.
func (l *List) Line(path, s string, limit int) bool {
	switch {
	case !l.Text(path, s, limit):
	case strings.ContainsFunc(s, breaksLine):
		l.Add(path, "must be a single line without control characters")
	case strings.ContainsFunc(s, steersDirection):
		l.Add(path, "must not hold characters that override the direction of writing")
	default:
		return true
	}
	return false
}

// Visible checks that s has no default ignorable code points, which could make two different names
// look the same. It adds a fault if s is invalid, and reports whether it is valid.
func (l *List) Visible(path, s string) bool {
	if strings.ContainsFunc(s, IsIgnorable) {
		l.Add(path, "must not hold invisible characters")
		return false
	}
	return true
}

// IsIgnorable reports whether r is a default ignorable code point (Unicode Standard 5.21;
// DerivedCoreProperties.txt).
func IsIgnorable(r rune) bool {
	switch {
	case r >= '\ufff9' && r <= '\ufffb', r >= '\U00013430' && r <= '\U00013440', unicode.Is(unicode.Prepended_Concatenation_Mark, r), unicode.IsSpace(r):
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// breaksLine reports whether r is a control character or a Unicode line break.
func breaksLine(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

func steersDirection(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// NotBlank checks that s has visible characters. It adds a fault if s is invalid, and reports
// whether it is valid.
func (l *List) NotBlank(path, s string) bool {
	if IsBlank(s) {
		l.Add(path, "must not be blank")
		return false
	}
	return true
}

// Count checks that a list has at most limit items. If it returns false, the caller should skip the
// items, because a request of 1 MiB can have hundreds of thousands of them.
func (l *List) Count(path string, n, limit int) bool {
	if n > limit {
		l.Add(path, "must have at most %d items", limit)
		return false
	}
	return true
}

// IsBlank reports whether s has no visible characters: it is empty, or consists of white space and
// invisible characters. The Hangul fillers, which Unicode classifies as letters, count as
// invisible. NUL is not blank, so that Text rejects it everywhere.
func IsBlank(s string) bool { return !strings.ContainsFunc(s, shows) }

// brailleBlank is the Braille pattern without dots, which Unicode classifies as a symbol.
const brailleBlank = '\u2800'

// shows reports whether a character on its own is visible (Unicode Standard 5.21, Default Ignorable
// Code Points).
func shows(r rune) bool {
	return r == 0 || r != brailleBlank && !unicode.IsSpace(r) &&
		!unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// IsStorable reports whether Postgres could store id. Postgres accepts neither NUL nor invalid
// UTF-8 in text.
func IsStorable(id string) bool { return utf8.ValidString(id) && !strings.ContainsRune(id, 0) }

// IsLink reports whether s is an absolute http or https URL with a host, and without credentials or
// white space.
func IsLink(s string) bool {
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}
