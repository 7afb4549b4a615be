package cvimport

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// isoDate is a date of any precision at the beginning of a text: a time of day behind it says
// nothing in a CV.
var isoDate = regexp.MustCompile(`^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ]\d.*)?$`)

// date gives a date as a CV has it. What is none stays as it is, so that the person sees it
// and the rule that it breaks.
func date(s string) string {
	if m := isoDate.FindStringSubmatch(s); m != nil {
		for i := range m {
			if len(m[i]) == 1 {
				m[i] = "0" + m[i]
			}
		}
		return joined("-", m[1], m[2], m[3])
	}
	for _, layout := range []string{"January 2006", "Jan 2006", "January 2, 2006", "Jan 2, 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(map[bool]string{true: time.DateOnly, false: "2006-01"}[strings.Contains(layout, ",")])
		}
	}
	return s
}

// isNow reports whether the end of a period says that it has none.
func isNow(s string) bool {
	switch strings.ToLower(s) {
	case "present", "now", "current", "currently", "today", "ongoing", "to date", "till date", "until now",
		"الآن", "حتى الآن", "حاليا", "حاليًا", "الحاضر", "heute", "présent", "aujourd'hui", "presente", "actualidad":
		return true
	}
	return false
}

// numbered is the platform of the n-th link of one.
func numbered(platform string, n int) string { return platform + " " + strconv.Itoa(n) }

var (
	breaks = regexp.MustCompile(`(?i)<\s*(?:/\s*(?:p|li|div|ul|ol|h[1-6])|br\s*/?)\s*>`)
	items  = regexp.MustCompile(`(?i)<\s*li(?:\s[^>]*)?>`)
	tags   = regexp.MustCompile(`<[^<>]*>`)
	links  = regexp.MustCompile(`(?is)<a\s[^<>]*href\s*=\s*["']([^"'<>]*)["'][^<>]*>([^<>]*)</a\s*>`)
	// known are the tags that editors of text write. Other signs may be a text: List<String>, a < b.
	known  = regexp.MustCompile(`(?i)<(?:/(?:p|li|ul|ol|b|i|u|em|strong|a|div|span|h[1-6])|(?:p|li|ul|ol|br|b|i|u|em|strong|a|div|span|h[1-6])(?:\s[^<>]*)?/?)>`)
	blanks = regexp.MustCompile(`\n{2,}`)
)

// unmarked is plain for a text that may be HTML.
func unmarked(s string) string {
	if known.MatchString(s) {
		return plain(s)
	}
	return s
}

// longWord is more than any address or word that people read, in bytes.
const longWord = 4000

// readable gives a text as it is listed. Of a file in a file, such as a photo in base64, which nobody
// can read or copy, it gives the beginning.
func readable(s string) string {
	if len(s) <= longWord || strings.ContainsAny(s[:longWord], " \t\n") {
		return s
	}
	const shown = 60
	return strings.ToValidUTF8(s[:shown], "") + "…"
}

// plain gives the text of a fragment of HTML, which the editors of Europass write. The marks
// themselves are of no use in a text.
func plain(fragment string) string {
	if !strings.ContainsAny(fragment, "<&") {
		return fragment
	}
	s := links.ReplaceAllStringFunc(fragment, func(link string) string {
		m := links.FindStringSubmatch(link)
		if strings.Contains(m[2], m[1]) {
			return m[2]
		}
		return m[2] + " (" + m[1] + ")"
	})
	s = breaks.ReplaceAllString(s, "\n")
	s = items.ReplaceAllString(s, "• ")
	s = html.UnescapeString(tags.ReplaceAllString(s, ""))
	s = strings.ReplaceAll(s, "\u00a0", " ")
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.TrimSpace(blanks.ReplaceAllString(strings.Join(lines, "\n"), "\n"))
}
