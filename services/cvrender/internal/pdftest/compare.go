package pdftest

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
// one normal text of the other (Levenshtein). It takes time for the characters times the
// errors, so texts that hardly differ are compared at once, however long they are.
func Errors(got, want string) int {
	a, b := []rune(got), []rune(want)
	for most := 64; ; most *= 2 {
		if n := errorsWithin(a, b, most); n <= most {
			return n
		}
	}
}

// errorsWithin returns the number of errors if it is at most most, otherwise one above most. It
// computes the cells of the table near its diagonal alone (Ukkonen 1985): one that is further
// away from it than most takes more errors than that.
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
		row[from-1] = i + 1 // right in the first column, above most in any other
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
