package cvimport

import (
	"html"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// isNow reports whether an end date such as "present" means that the period is ongoing.
func isNow(s string) bool {
	switch strings.ToLower(s) {
	case "present", "now", "current", "currently", "today", "ongoing", "to date", "till date", "until now",
		"الآن", "حتى الآن", "حاليا", "حاليًا", "الحاضر", "heute", "présent", "aujourd'hui", "presente", "actualidad":
		return true
	}
	return false
}

// numbered returns the name under which the n-th link to a platform is stored.
func numbered(platform string, n int) string { return platform + " " + strconv.Itoa(n) }

// editors are the tags that rich-text editors write. Other angle brackets may be part of the text, as in
// List<String> or a < b.
var editors = map[string]bool{
	"p": true, "li": true, "ul": true, "ol": true, "br": true, "b": true, "i": true, "u": true, "em": true, "strong": true, "a": true, "div": true, "span": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
}

const spaces = " \t\r\n\f"

// unmarked removes the markup from a string that may be HTML.
func unmarked(s string) string {
	for part, isTag := range pieces(s) {
		if isTag && !strings.ContainsAny(part[1:2], spaces) {
			if name, _, _ := tag(part); editors[name] {
				return plain(s)
			}
		}
	}
	return s
}

// pieces splits an HTML fragment into tags, from < to >, and the text between them. It scans each byte
// once, whereas regular expressions took seconds for a file of the maximum upload size.
func pieces(s string) iter.Seq2[string, bool] {
	return func(yield func(piece string, isTag bool) bool) {
		for s != "" {
			end := strings.IndexAny(s[1:], "<>") + 1
			isTag := s[0] == '<' && end > 0 && s[end] == '>'
			switch {
			case isTag:
				end++
			case end == 0:
				end = len(s)
			}
			if !yield(s[:end], isTag) {
				return
			}
			s = s[end:]
		}
	}
}

// tag returns a tag's name in lower case, its attributes, and whether it closes an element.
func tag(piece string) (name, attributes string, closes bool) {
	inside, closes := strings.CutPrefix(strings.Trim(piece[1:len(piece)-1], spaces), "/")
	inside = strings.Trim(inside, spaces)
	end := strings.IndexAny(inside, spaces+"/")
	if end < 0 {
		end = len(inside)
	}
	return strings.ToLower(inside[:end]), inside[end:], closes
}

// href returns the URL in a link's attributes, or "" if there is none.
func href(attributes string) string {
	for attributes = strings.TrimLeft(attributes, spaces+"/="); attributes != ""; attributes = strings.TrimLeft(attributes, spaces+"/=") {
		end := strings.IndexAny(attributes, spaces+"/=")
		if end < 0 {
			return ""
		}
		name, value := attributes[:end], ""
		attributes = strings.TrimLeft(attributes[end:], spaces)
		if rest, ok := strings.CutPrefix(attributes, "="); ok {
			value, attributes = attribute(strings.TrimLeft(rest, spaces))
		}
		if strings.EqualFold(name, "href") {
			return value
		}
	}
	return ""
}

// attribute splits s into the value of an attribute, with or without quotes, and the rest.
func attribute(s string) (value, rest string) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		value, rest, _ = strings.Cut(s[1:], s[:1])
		return value, rest
	}
	if end := strings.IndexAny(s, spaces); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

// longWord is a length, in bytes, that no word or URL written for people reaches.
const longWord = 4000

// readable returns a string in the form in which the page lists it. It shortens long words, because nobody
// can read or copy an embedded file, such as a photo in base64.
func readable(s string) string {
	if len(s) <= longWord || strings.ContainsAny(s[:longWord], " \t\n") {
		return s
	}
	const shown = 60
	return strings.ToValidUTF8(s[:shown], "") + "…"
}

// plain returns the text of an HTML fragment, as the Europass editors write it, with the URLs of its
// links.
func plain(fragment string) string {
	if !strings.ContainsAny(fragment, "<&") {
		return fragment
	}
	var out strings.Builder
	address, from := "", 0
	endLink := func() {
		if address != "" && !strings.Contains(out.String()[from:], address) {
			out.WriteString(" (" + address + ")")
		}
		address = ""
	}
	for piece, isTag := range pieces(fragment) {
		if !isTag {
			out.WriteString(piece)
			continue
		}
		switch name, attributes, closes := tag(piece); {
		case name == "a":
			endLink()
			if !closes {
				address, from = href(attributes), out.Len()
			}
		case name == "li" && !closes:
			out.WriteString("• ")
		case name == "br", closes && slices.Contains([]string{"p", "li", "div", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"}, name):
			out.WriteByte('\n')
		}
	}
	endLink()
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(html.UnescapeString(out.String()), "\u00a0", " "), "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return joined("\n", lines...)
}
