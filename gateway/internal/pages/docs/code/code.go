package code

import (
	"html/template"
	"strings"
)

// Block renders source code as HTML. It highlights the languages "sh", "js", "python", "go" and
// "json". The copy button stays hidden if JavaScript is disabled.
func Block(lang, source string) template.HTML {
	return template.HTML(`<div class="code"><button type="button" class="copy" hidden>Copy</button><pre><code>` + //nolint:gosec // mark escapes
		mark(lang, strings.TrimSuffix(source, "\n")) + "\n</code></pre></div>\n")
}

// mark returns the source as HTML, with the highlighted words in spans.
func mark(lang, source string) string {
	l, known := languages[lang]
	if !known {
		return template.HTMLEscapeString(source)
	}
	var out strings.Builder
	for at := 0; at < len(source); {
		class, length := l.word(source, at)
		text := template.HTMLEscapeString(source[at : at+length])
		if class != "" {
			text = `<span class="` + class + `">` + text + "</span>"
		}
		out.WriteString(text)
		at += length
	}
	return out.String()
}

// word returns the class and the length of the token at a position. The class is "" if the token is
// not highlighted.
func (l language) word(source string, at int) (class string, length int) {
	rest := source[at:]
	if l.comment != "" && strings.HasPrefix(rest, l.comment) && (at == 0 || strings.ContainsAny(source[at-1:at], " \t\n")) {
		return "hl-comment", lineLength(rest)
	}
	for _, quote := range l.quotes {
		if strings.HasPrefix(rest, quote) {
			length = l.textLength(rest, quote)
			if l.keys && strings.HasPrefix(strings.TrimLeft(rest[length:], " "), ":") {
				return "hl-key", length
			}
			return "hl-text", length
		}
	}
	switch c := rest[0]; {
	case c == '$' && l.variables:
		return variable(rest)
	case isDigit(c):
		return "hl-number", span(rest, func(c byte) bool { return isDigit(c) || c == '.' })
	case isLetter(c):
		length = span(rest, func(c byte) bool { return isLetter(c) || isDigit(c) })
		if l.keywords[rest[:length]] {
			class = "hl-keyword"
		}
		return class, length
	}
	return "", 1
}

// textLength returns the length, including quotes, of the string literal with which rest begins. An
// unterminated literal extends to the end.
func (l language) textLength(rest, quote string) int {
	escapes := !strings.Contains(l.raw, quote)
	for i := len(quote); i < len(rest); i++ {
		switch {
		case escapes && rest[i] == '\\':
			i++
		case strings.HasPrefix(rest[i:], quote):
			return i + len(quote)
		}
	}
	return len(rest)
}

// variable returns the class and length of $NAME or ${NAME}. A $ on its own is not highlighted.
func variable(rest string) (class string, length int) {
	if end := strings.IndexByte(rest, '}'); strings.HasPrefix(rest, "${") && end > 0 {
		return "hl-variable", end + 1
	}
	length = 1 + span(rest[1:], func(c byte) bool { return isLetter(c) || isDigit(c) })
	if length == 1 {
		return "", 1
	}
	return "hl-variable", length
}

func lineLength(rest string) int {
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		return end
	}
	return len(rest)
}

// span returns how many bytes at the beginning of rest satisfy the function in.
func span(rest string, in func(byte) bool) int {
	n := 0
	for n < len(rest) && in(rest[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isLetter treats all non-ASCII bytes as letters, so no multi-byte character is split.
func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
