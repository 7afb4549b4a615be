package pdf

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

type kind int

const (
	nothing kind = iota
	number
	name
	text // a string in parentheses or hexadecimal digits
	array
	dictionary
	keyword
)

// scanner splits PDF syntax into tokens (ISO 32000-1, 7.2 and 7.3). An array or a dictionary is a
// single token.
type scanner struct {
	rest  []byte
	depth int
}

// maxDepth is the maximum nesting depth of arrays and dictionaries. Skia uses four levels.
const maxDepth = 32

// token returns the next token. It returns no token at the end of the input or if the syntax is
// invalid.
func (s *scanner) token() ([]byte, kind) {
	s.rest = bytes.TrimLeft(s.rest, " \t\r\n\f\x00")
	if len(s.rest) == 0 {
		return nil, nothing
	}
	switch c := s.rest[0]; {
	case bytes.HasPrefix(s.rest, []byte("<<")):
		return s.nested(dictionary)
	case c == '[':
		return s.nested(array)
	case c == '<':
		return s.until(bytes.IndexByte(s.rest, '>')+1, text)
	case c == '(':
		return s.until(literal(s.rest), text)
	case c == '/':
		return s.until(1+regular(s.rest[1:]), name)
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		return s.until(regular(s.rest), number)
	}
	return s.until(regular(s.rest), keyword)
}

// until returns the next n bytes as a token, or no token if n is 0.
func (s *scanner) until(n int, k kind) ([]byte, kind) {
	if n <= 0 {
		s.rest = nil
		return nil, nothing
	}
	token := s.rest[:n]
	s.rest = s.rest[n:]
	return token, k
}

// nested returns an array or a dictionary, including its contents.
func (s *scanner) nested(k kind) ([]byte, kind) {
	whole := s.rest
	if s.depth++; s.depth > maxDepth {
		return nil, nothing
	}
	defer func() { s.depth-- }()
	open := 1
	if k == dictionary {
		open = 2
	}
	s.rest = s.rest[open:]
	for {
		s.rest = bytes.TrimLeft(s.rest, " \t\r\n\f\x00")
		switch {
		case k == array && bytes.HasPrefix(s.rest, []byte("]")), k == dictionary && bytes.HasPrefix(s.rest, []byte(">>")):
			s.rest = s.rest[open:]
			return whole[:len(whole)-len(s.rest)], k
		}
		if _, inner := s.token(); inner == nothing {
			return nil, nothing
		}
	}
}

// regular returns the number of regular characters at the beginning of b.
func regular(b []byte) int {
	if n := bytes.IndexAny(b, " \t\r\n\f\x00()<>[]{}/%"); n >= 0 {
		return n
	}
	return len(b)
}

// literal returns the length of the string in parentheses at the beginning of b, or 0 if the string
// is not closed.
func literal(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// entry returns the value for a key in a dictionary, or nil if there is none. A reference is
// returned with all three tokens.
func entry(dict []byte, key string) []byte {
	if len(dict) < 4 || !bytes.HasPrefix(dict, []byte("<<")) {
		return nil
	}
	s := scanner{rest: dict[2 : len(dict)-2]}
	for {
		found, k := s.token()
		if k != name {
			return nil
		}
		value := s.value()
		if value == nil || string(found[1:]) == key {
			return value
		}
	}
}

// value returns the next value, which may be a reference.
func (s *scanner) value() []byte {
	start := bytes.TrimLeft(s.rest, " \t\r\n\f\x00")
	value, k := s.token()
	if k != number {
		return value
	}
	ahead := *s
	if _, second := ahead.token(); second == number {
		if r, third := ahead.token(); third == keyword && string(r) == "R" {
			*s = ahead
			return start[:len(start)-len(s.rest)]
		}
	}
	return value
}

// integer returns the value for a key in a dictionary as an integer.
func integer(dict []byte, key string) (int, bool) {
	n, err := strconv.Atoi(string(entry(dict, key)))
	return n, err == nil
}

// reference returns the object number in the reference for a key in a dictionary, or 0 if there is
// none.
func reference(dict []byte, key string) int { return referred(entry(dict, key)) }

// referred returns the object number in a reference, or 0 if value is not a reference.
func referred(value []byte) int {
	if !bytes.HasSuffix(value, []byte("R")) {
		return 0
	}
	return whole(firstField(value))
}

func firstField(b []byte) []byte {
	fields := bytes.Fields(b)
	if len(fields) == 0 {
		return nil
	}
	return fields[0]
}

// with returns the dictionary with key set to value.
func with(dict []byte, key, value string) []byte {
	out := without(dict, key)
	return append(out[:len(out)-2], fmt.Sprintf("/%s %s>>", key, value)...)
}

// without returns the dictionary without the key.
func without(dict []byte, key string) []byte {
	var out bytes.Buffer
	out.WriteString("<<")
	s := scanner{rest: dict[2 : len(dict)-2]}
	for {
		found, k := s.token()
		if k != name {
			break
		}
		if old := s.value(); string(found[1:]) != key {
			fmt.Fprintf(&out, "%s %s\n", found, old)
		}
	}
	out.WriteString(">>")
	return out.Bytes()
}

// whole parses an integer. It returns 0 if the token is invalid.
func whole(token []byte) int {
	n, err := strconv.Atoi(string(token))
	if err != nil {
		return 0
	}
	return n
}

// decimal parses a number. It returns 0 if the token is invalid.
func decimal(token []byte) float64 {
	x, err := strconv.ParseFloat(string(token), 64)
	if err != nil {
		return 0
	}
	return x
}

// short formats a number with at most four decimal places.
func short(x float64) string {
	out := strconv.FormatFloat(x, 'f', 4, 64)
	out = strings.TrimRight(strings.TrimRight(out, "0"), ".")
	if out == "-0" || out == "" {
		return "0"
	}
	return out
}
