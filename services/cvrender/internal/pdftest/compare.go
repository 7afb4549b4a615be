package pdftest

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// Normal returns a text in NFKC (UAX 15), without format characters such as direction marks, and
// with single spaces.
func Normal(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	return strings.Join(strings.Fields(plain), " ")
}

// WithoutFeet removes the foot of every page, the person's name and the page number, from a normal
// text. Programs read it before or after the page. It removes the name everywhere, so check for the
// name first.
func WithoutFeet(text, name string) string {
	text = strings.ReplaceAll(number.ReplaceAllString(text, " "), Normal(name), " ")
	return strings.Join(strings.Fields(text), " ")
}

// number matches a page number, also in the wrong order of a program that does not support
// right-to-left text.
var number = regexp.MustCompile(`Page \d+ of \d+|صفحة \d+ من \d+|\d+ من \d+ صفحة`)

// Errors returns the Levenshtein distance of two normal texts. Its time grows with length times
// distance, so similar texts are compared quickly.
func Errors(got, want string) int {
	a, b := []rune(got), []rune(want)
	for most := 64; ; most *= 2 {
		if n := errorsWithin(a, b, most); n <= most {
			return n
		}
	}
}

// errorsWithin returns the distance if it is at most most, otherwise a larger number. It computes
// only the cells of the table near the diagonal (Ukkonen 1985): a path further away has more errors
// than most.
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
		row[from-1] = i + 1 // correct in the first column, above most in others
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

// blocks are the elements that begin and end a line.
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
