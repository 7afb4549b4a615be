package jsonread

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Fault is the error for JSON text that is invalid or contains an unexpected value.
type Fault struct {
	// Path is the JSON path of the value, or "" for the whole text.
	Path string
	// Message completes a sentence that begins with the path, for example "must not be there
	// twice".
	Message string
	// Offset is the byte offset at which the syntax becomes invalid, or -1 if the text is valid
	// JSON.
	Offset int
}

// Error returns the path and the message.
func (f *Fault) Error() string { return f.Path + ": " + f.Message }

// Fault returns a fault for the current value.
func (r *Reader) Fault(format string, args ...any) error {
	return &Fault{Path: r.Path(), Message: fmt.Sprintf(format, args...), Offset: -1}
}

func (r *Reader) malformed(at int) error {
	message := fmt.Sprintf("is not well-formed JSON at byte %d", at)
	if at >= len(r.text) {
		message = "is not well-formed JSON: it ends too early"
	}
	return &Fault{Path: r.Path(), Message: message, Offset: at}
}

// syntaxFault converts an error from the tokenizer to a fault. prefix precedes the fault's message.
func (r *Reader) syntaxFault(err error, prefix string) error {
	var syntax *jsontext.SyntacticError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &syntax) {
		return r.malformed(len(r.text))
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		r.path = append(r.path, step{key: syntax.JSONPointer.LastToken()})
		return r.Fault("must not be there twice")
	}
	at := int(syntax.ByteOffset)
	rest := r.text[min(at, len(r.text)):]
	if c, size := utf8.DecodeRune(rest); c == utf8.RuneError && size == 1 {
		return r.Fault("%smust be valid UTF-8", prefix)
	}
	// The tokenizer rejects a complete \u escape only if it is an unpaired surrogate.
	if len(rest) > 6 && rest[0] == '\\' && rest[1] == 'u' {
		if _, err := strconv.ParseUint(string(rest[2:6]), 16, 16); err == nil {
			return r.Fault("%smust hold no half of a surrogate pair", prefix)
		}
	}
	return r.malformed(at)
}

// maxShownKey is the maximum length of a key in a path, in bytes.
const maxShownKey = 64

// step is a key or an index in a path.
type step struct {
	key     string
	index   int
	inArray bool
}

// Path returns the JSON path of the current value, or "" for the whole text.
func (r *Reader) Path() string {
	var b strings.Builder
	for i, s := range r.path {
		switch {
		case s.inArray:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case !plain(s.key):
			quoted, _ := json.Marshal(shown(s.key)) // cannot fail: the key is a string
			b.WriteString("[" + string(quoted) + "]")
		case i > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}

// plain reports whether a key needs no quotes in a path.
func plain(key string) bool {
	for _, c := range []byte(key) {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return key != "" && len(key) <= maxShownKey
}

func shown(key string) string {
	if len(key) <= maxShownKey {
		return key
	}
	return strings.ToValidUTF8(key[:maxShownKey], "") + "…"
}
