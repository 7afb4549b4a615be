package cvimport

import (
	"html"
	"regexp"
	"strconv"
	"strings"
)

// isoDate is a date of any precision at the beginning of a text: a time of day behind it says
// nothing in a CV.
var isoDate = regexp.MustCompile(`^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?$`)

// date gives a date as a CV has it. What is none stays as it is, so that the person sees it
// and the rule that it breaks.
func date(s string) string {
	m := isoDate.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	return joined("-", m[1], m[2], m[3])
}

// numbered is the platform of the n-th link of one.
func numbered(platform string, n int) string { return platform + " " + strconv.Itoa(n) }

var (
	breaks = regexp.MustCompile(`(?i)<\s*(?:/\s*(?:p|li|div|ul|ol|h[1-6])|br\s*/?)\s*>`)
	items  = regexp.MustCompile(`(?i)<\s*li(?:\s[^>]*)?>`)
	tags   = regexp.MustCompile(`<[^<>]*>`)
	blanks = regexp.MustCompile(`\n{2,}`)
)

// plain gives the text of a fragment of HTML, which the editors of Europass write. The marks
// themselves are of no use in a text.
func plain(fragment string) string {
	if !strings.ContainsAny(fragment, "<&") {
		return fragment
	}
	s := breaks.ReplaceAllString(fragment, "\n")
	s = items.ReplaceAllString(s, "• ")
	s = html.UnescapeString(tags.ReplaceAllString(s, ""))
	s = strings.ReplaceAll(s, "\u00a0", " ")
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.TrimSpace(blanks.ReplaceAllString(strings.Join(lines, "\n"), "\n"))
}
