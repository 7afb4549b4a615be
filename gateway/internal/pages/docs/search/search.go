package search

import (
	"cmp"
	"html/template"
	"slices"
	"strings"
)

// Entry is a page, or a chapter of a page, that a search can find.
type Entry struct {
	// Path is the path of the page, with a fragment for a chapter.
	Path string
	// Title is the title of the page. Heading is the heading of the chapter, or "" for the page
	// itself.
	Title, Heading string
	// Text is the content as plain text.
	Text string
}

// Hit is an entry that matches a query.
type Hit struct {
	Entry
	// Extract is the text around the first match, with the matching words marked.
	Extract template.HTML
}

// Index holds the entries that can be searched.
type Index struct{ entries []indexed }

// indexed is an entry with its text in lower case.
type indexed struct {
	Entry
	title, heading, text string
}

// New returns an index. Entries with equal scores keep their order in search results.
func New(entries []Entry) Index {
	var x Index
	for _, e := range entries {
		x.entries = append(x.entries, indexed{e, lower(e.Title), lower(e.Heading), lower(e.Text)})
	}
	return x
}

// Limits on a query and its results.
const (
	maxWords = 8
	maxHits  = 20
	// around is the number of bytes before and after the first match that an extract shows.
	around = 110
)

// Find returns the entries that contain every word of the query or a synonym of it, at most 20,
// best first. Words are separated by spaces and matched case-insensitively. A path or header name
// counts as one word.
func (x Index) Find(query string) []Hit {
	words := terms(query)
	if len(words) == 0 {
		return nil
	}
	type scored struct {
		indexed
		score int
	}
	var found []scored
	for _, e := range x.entries {
		if score := e.score(words); score > 0 {
			found = append(found, scored{e, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var hits []Hit
	for _, f := range found[:min(len(found), maxHits)] {
		hits = append(hits, Hit{f.Entry, f.extract(slices.Concat(words...))})
	}
	return hits
}

// score rates how well an entry matches the words. It returns 0 if a word is missing. A word counts
// most in the title of a page, then in a heading, then in the text. It counts more as a whole word
// or at the beginning of a word. A synonym counts half.
func (e indexed) score(words []term) int {
	total := 0
	for _, t := range words {
		best := 2 * e.holds(t[0])
		for _, other := range t[1:] {
			best = max(best, e.holds(other))
		}
		if best == 0 {
			return 0
		}
		total += best
	}
	return total
}

// holds rates how well an entry matches a single word.
func (e indexed) holds(word string) int {
	title := 16 * weight(e.title, word)
	if e.heading != "" {
		title /= 4 // chapters rank below their page
	}
	return title + 8*weight(e.heading, word) + weight(e.text, word)
}

// weight returns 3 if text contains word as a whole word, 2 if at the beginning of a word, 1 if
// inside a word, and 0 if not at all.
func weight(text, word string) int {
	best := 0
	for at := 0; ; {
		next := strings.Index(text[at:], word)
		if next < 0 {
			return best
		}
		at += next
		end := at + len(word)
		begins, ends := at == 0 || !isWord(text[at-1]), end == len(text) || !isWord(text[end])
		switch {
		case begins && ends:
			return 3
		case begins:
			best = 2
		default:
			best = max(best, 1)
		}
		at = end
	}
}

// extract returns the text around the first match, with every matching word marked.
func (e indexed) extract(words []string) template.HTML {
	first := -1
	for _, word := range words {
		if at := strings.Index(e.text, word); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	from, to := max(first-around, 0), min(max(first, 0)+around, len(e.Text))
	for from > 0 && e.Text[from] != ' ' {
		from--
	}
	for to < len(e.Text) && e.Text[to] != ' ' {
		to++
	}
	out := Mark(e.Text[from:to], words)
	if from > 0 {
		out = "… " + out
	}
	if to < len(e.Text) {
		out += " …"
	}
	return out
}

// Mark returns text as HTML with words in mark elements. The words must be in lower case.
func Mark(text string, words []string) template.HTML {
	var out strings.Builder
	low := lower(text)
	plain := 0
	for at := 0; at < len(text); {
		length := 0
		for _, word := range words {
			if strings.HasPrefix(low[at:], word) {
				length = max(length, len(word))
			}
		}
		if length == 0 {
			at++
			continue
		}
		out.WriteString(template.HTMLEscapeString(text[plain:at]) + "<mark>" + template.HTMLEscapeString(text[at:at+length]) + "</mark>")
		at += length
		plain = at
	}
	out.WriteString(template.HTMLEscapeString(text[plain:]))
	return template.HTML(out.String()) //nolint:gosec // the strings in it are escaped
}

// lower converts ASCII letters to lower case, so byte positions do not change.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
