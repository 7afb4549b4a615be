package legible

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// Normal gives a text as texts are compared here: in NFKC (UAX 15), without format
// characters such as the marks of direction, with one space for every white space.
func Normal(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	return strings.Join(strings.Fields(plain), " ")
}

// WithoutFeet gives a normal text without what stands at the foot of every page: the
// person's name and the number of the page. Programs read it before or after the page. The
// name goes wherever it stands, so it must be looked for before.
func WithoutFeet(text, name string) string {
	text = strings.ReplaceAll(number.ReplaceAllString(text, " "), Normal(name), " ")
	return strings.Join(strings.Fields(text), " ")
}

// number matches the number of a page, also as a program gives it that does not know the
// direction of a line.
var number = regexp.MustCompile(`Page \d+ of \d+|صفحة \d+ من \d+|\d+ من \d+ صفحة`)

// Errors gives the least number of characters to insert, to remove or to replace to make
// one normal text of the other (Levenshtein).
func Errors(got, want string) int {
	a, b := []rune(got), []rune(want)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range a {
		corner := row[0]
		row[0] = i + 1
		for j, s := range b {
			cost := corner
			if r != s {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}

// blocks are the elements of the documents that begin and end a line.
var blocks = map[string]bool{
	"h1": true, "h2": true, "h3": true, "p": true, "li": true, "div": true, "dt": true, "dd": true, "header": true, "section": true, "article": true,
}

// Source gives the text of an HTML document in the order in which it stands there.
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
