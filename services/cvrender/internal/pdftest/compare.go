package pdftest

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// Normal normalizes a string. It converts the string to NFKC (UAX 15), removes format characters such as
// direction marks, and collapses white space to single spaces.
func Normal(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	return strings.Join(strings.Fields(plain), " ")
}

// WithoutFeet removes the footer of every page from a normalized string. The footer consists of the person's
// name and the page number, and programs read it before or after the page. WithoutFeet removes the name
// everywhere, so check for the name first.
func WithoutFeet(text, name string) string {
	text = strings.ReplaceAll(number.ReplaceAllString(text, " "), Normal(name), " ")
	return strings.Join(strings.Fields(text), " ")
}

// number matches a page number. It also matches the wrong order in which programs without support for
// right-to-left text read it.
var number = regexp.MustCompile(`Page \d+ of \d+|صفحة \d+ من \d+|\d+ من \d+ صفحة`)

// Errors returns the Levenshtein distance between two normalized strings. The time that it takes is
// proportional to the length times the distance, so comparing similar strings is fast.
func Errors(got, want string) int {
	a, b := []rune(got), []rune(want)
	for most := 64; ; most *= 2 {
		if n := errorsWithin(a, b, most); n <= most {
			return n
		}
	}
}

// errorsWithin returns the distance if it is at most the limit given in most, and a larger number otherwise.
// It computes only the cells near the diagonal of the table (Ukkonen 1985), because a path further away has
// more errors than the limit.
func errorsWithin(a, b []rune, most int) int {
	if len(a)-len(b) > most {
		return len(a) - len(b)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range a {
		from, to := max(1, i+1-most), min(len(b), i+1+most)
		corner := row[from-1]
		row[from-1] = i + 1 // correct in the first column, and above the limit in the others
		for j := from; j <= to; j++ {
			cost := corner
			if r != b[j-1] {
				cost++
			}
			corner = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// blocks are the HTML elements that begin and end a line.
var blocks = map[string]bool{
	"h1": true, "h2": true, "h3": true, "p": true, "li": true, "div": true, "dt": true, "dd": true, "header": true, "section": true, "article": true,
}

// Source returns the text of an HTML document in document order.
func Source(document string) (string, error) {
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			out.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && n.Data == "head" {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if blocks[n.Data] {
			out.WriteByte('\n')
		}
	}
	walk(root)
	return out.String(), nil
}
