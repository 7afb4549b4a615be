package jsonbody

import (
	"encoding/json"
	"strconv"
	"strings"

	"vitae.internal/pkg/fault"
)

// whole is the path of the body itself.
const whole = "body"

// maxShownKey bounds how much of a client's key an error message repeats, in bytes.
const maxShownKey = 64

// step is one step of a JSON path: a key or an index.
type step struct {
	key     string
	index   int
	inArray bool
}

func (d *decoder) push(s step) { d.path = append(d.path, s) }
func (d *decoder) pop()        { d.path = d.path[:len(d.path)-1] }

func (d *decoder) fault(format string, args ...any) error {
	return fault.InJSON(d.place(), format, args...)
}

func (d *decoder) malformed() error {
	if d.pos >= len(d.raw) {
		return d.fault("is not well-formed JSON: it ends too early")
	}
	return d.fault("is not well-formed JSON at byte %d", d.pos)
}

func (d *decoder) wrongKind(want, got kind) error {
	if got == "" {
		return d.malformed()
	}
	return d.fault("must be %s, not %s", want, got)
}

// place returns the JSON path of the present position.
func (d *decoder) place() string {
	var b strings.Builder
	for i, s := range d.path {
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
	if b.Len() == 0 {
		return whole
	}
	return b.String()
}

// plain reports whether a key can stand in a path without quotes.
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
