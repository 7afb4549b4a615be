package jsonread

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is a JSON type, in the form used in messages.
type Kind string

// Kinds of values. Invalid JSON has the kind "".
const (
	String  Kind = "a string"
	Number  Kind = "a number"
	Boolean Kind = "a boolean"
	Object  Kind = "an object"
	Array   Kind = "an array"
	Null    Kind = "null"
)

// Reader reads one JSON value. Every error is a *Fault or comes from a function passed to the
// Reader. After an error, the Reader must not be used.
type Reader struct {
	text     []byte
	tokens   *jsontext.Decoder
	path     []step
	depth    int
	maxDepth int
	lenient  bool
}

// Strict returns a Reader that rejects duplicate keys, invalid UTF-8, NUL, unpaired surrogates, and
// objects and arrays nested more than maxDepth levels deep.
func Strict(text []byte, maxDepth int) *Reader {
	return &Reader{text: text, tokens: jsontext.NewDecoder(bytes.NewBuffer(text)), maxDepth: maxDepth}
}

// Lenient returns a Reader that accepts duplicate keys and NUL, and replaces invalid UTF-8 and
// unpaired surrogates with U+FFFD. Like Strict, it rejects objects and arrays nested more than
// maxDepth levels deep.
func Lenient(text []byte, maxDepth int) *Reader {
	return &Reader{
		text: text, maxDepth: maxDepth, lenient: true,
		tokens: jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
	}
}

// Kind returns the kind of the current value according to its first byte, or "" if it is not valid
// JSON.
func (r *Reader) Kind() Kind {
	switch r.tokens.PeekKind() {
	case '"':
		return String
	case '0':
		return Number
	case 't', 'f':
		return Boolean
	case '{':
		return Object
	case '[':
		return Array
	case 'n':
		return Null
	}
	return ""
}

// WrongKind returns the fault for a value that is not of the wanted kind.
func (r *Reader) WrongKind(want Kind) error {
	got := r.Kind()
	switch got {
	case "", Null, Boolean, Number: // the first byte does not distinguish null from nope
		if _, err := r.next(""); err != nil {
			return err
		}
		at := int(r.tokens.InputOffset())
		if at < len(r.text) && !strings.ContainsRune(" \t\r\n,]}", rune(r.text[at])) {
			return r.malformed(at)
		}
	}
	return r.Fault("must be %s, not %s", want, got)
}

// next reads a token. prefix precedes the error message if the token is an invalid string.
func (r *Reader) next(prefix string) (jsontext.Token, error) {
	t, err := r.tokens.ReadToken()
	if err != nil {
		return t, r.syntaxFault(err, prefix)
	}
	return t, nil
}

// Text reads a string.
func (r *Reader) Text() (string, error) { return r.word("") }

func (r *Reader) word(prefix string) (string, error) {
	t, err := r.next(prefix)
	if err != nil {
		return "", err
	}
	s := t.String()
	if !r.lenient && strings.IndexByte(s, 0) >= 0 {
		return "", r.Fault("%smust hold no NUL character", prefix)
	}
	return s, nil
}

// Number reads a number and returns its text without converting it.
func (r *Reader) Number() (string, error) {
	t, err := r.next("")
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// Float reads a number. It returns a fault if the number is out of range.
func (r *Reader) Float() (float64, error) {
	text, err := r.Number()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, r.Fault("is out of range")
	}
	return n, nil
}

// Bool reads a boolean.
func (r *Reader) Bool() (bool, error) {
	t, err := r.next("")
	return err == nil && t.Bool(), err
}

// Null reads null.
func (r *Reader) Null() error {
	_, err := r.next("")
	return err
}

// Skip reads and discards a value. It returns an error if the value is invalid.
func (r *Reader) Skip() error {
	var err error
	switch r.Kind() {
	case Object:
		return r.Object(func(string) error { return r.Skip() })
	case Array:
		return r.Array(func(int) error { return r.Skip() })
	case String:
		_, err = r.Text()
	case Number:
		_, err = r.Float()
	default:
		_, err = r.next("")
	}
	return err
}

// Object reads an object. It calls each for every key, and each must read the value.
func (r *Reader) Object(each func(key string) error) error {
	return r.contents('}', func(int) error {
		key, err := r.word("a key in it ")
		if err != nil {
			return err
		}
		r.path = append(r.path, step{key: key})
		return each(key)
	})
}

// Array reads an array. It calls each for every element, and each must read the element.
func (r *Reader) Array(each func(i int) error) error {
	return r.contents(']', func(i int) error {
		r.path = append(r.path, step{index: i, inArray: true})
		return each(i)
	})
}

// contents reads an object or array to its end. each must add a step to the path.
func (r *Reader) contents(end jsontext.Kind, each func(i int) error) error {
	if r.depth++; r.depth > r.maxDepth {
		return r.Fault("is nested too deeply: at most %d levels are read", r.maxDepth)
	}
	if _, err := r.next(""); err != nil {
		return err
	}
	outside := len(r.path)
	for i := 0; ; i++ {
		switch r.tokens.PeekKind() {
		case 0, end: // an error, or the end of the object or array
			r.depth--
			_, err := r.next("")
			return err
		}
		if err := each(i); err != nil {
			return err
		}
		r.path = r.path[:outside]
	}
}

// Missing returns the fault for a key that is missing from the current object.
func (r *Reader) Missing(key string) *Fault {
	r.path = append(r.path, step{key: key})
	defer func() { r.path = r.path[:len(r.path)-1] }()
	return &Fault{Path: r.Path(), Message: "is required", Offset: -1}
}

// End returns an error if the value is followed by anything but white space.
func (r *Reader) End() error {
	if rest := bytes.TrimLeft(r.text[r.tokens.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return r.malformed(len(r.text) - len(rest))
	}
	return nil
}
