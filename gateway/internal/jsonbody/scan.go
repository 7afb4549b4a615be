package jsonbody

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// space skips white space between tokens (RFC 8259 §2).
func (d *decoder) space() {
	for d.pos < len(d.raw) {
		switch d.raw[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// kind returns the type of the value at the present position from its first byte, ""
// if no value begins there.
func (d *decoder) kind() kind {
	if d.pos == len(d.raw) {
		return ""
	}
	switch c := d.raw[d.pos]; {
	case c == '"':
		return aString
	case c == '{':
		return anObject
	case c == '[':
		return anArray
	case c == 't' || c == 'f':
		return aBoolean
	case c == 'n':
		return aNull
	case c == '-' || c >= '0' && c <= '9':
		return aNumber
	default:
		return ""
	}
}

func (d *decoder) literal(word string) error {
	if end := d.pos + len(word); end <= len(d.raw) && string(d.raw[d.pos:end]) == word {
		d.pos = end
		return nil
	}
	return d.malformed()
}

// The ways in which a string of valid JSON is refused, as the end of "must …".
const (
	beUTF8       = "be valid UTF-8"
	holdNoNUL    = "hold no NUL character"
	holdNoHalves = "hold no half of a surrogate pair"
)

// string reads a string. fault is set if the string is valid JSON but not allowed;
// the caller then words the error for a value or for a key.
func (d *decoder) string() (s, fault string, err error) {
	start := d.pos + 1
	for i := start; i < len(d.raw); i++ {
		switch c := d.raw[i]; {
		case c == '"':
			d.pos = i + 1
			if !utf8.Valid(d.raw[start:i]) {
				return "", beUTF8, nil
			}
			return string(d.raw[start:i]), "", nil
		case c == '\\':
			d.pos = i
			return d.escaped(append(make([]byte, 0, 2*(i-start)+32), d.raw[start:i]...))
		case c == 0:
			return "", holdNoNUL, nil
		case c < 0x20:
			d.pos = i
			return "", "", d.malformed()
		}
	}
	d.pos = len(d.raw)
	return "", "", d.malformed()
}

// escaped reads a string from its first escape on.
func (d *decoder) escaped(b []byte) (s, fault string, err error) {
	for d.pos < len(d.raw) {
		c := d.raw[d.pos]
		switch {
		case c == '"':
			d.pos++
			if !utf8.Valid(b) {
				return "", beUTF8, nil
			}
			return string(b), "", nil
		case c == 0:
			return "", holdNoNUL, nil
		case c < 0x20:
			return "", "", d.malformed()
		case c != '\\':
			b = append(b, c)
			d.pos++
			continue
		}
		r, ok := d.escape()
		switch {
		case !ok:
			return "", "", d.malformed()
		case r == 0:
			return "", holdNoNUL, nil
		case utf16.IsSurrogate(r):
			low, ok := d.escape()
			if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
				return "", holdNoHalves, nil
			}
		}
		b = utf8.AppendRune(b, r)
	}
	return "", "", d.malformed()
}

// short are the escapes of one letter.
var short = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads an escape; it returns false if there is none at the present position.
func (d *decoder) escape() (rune, bool) {
	rest := d.raw[d.pos:]
	if len(rest) < 2 || rest[0] != '\\' {
		return 0, false
	}
	if r, ok := short[rest[1]]; ok {
		d.pos += 2
		return r, true
	}
	var unit [2]byte
	if rest[1] != 'u' || len(rest) < 6 {
		return 0, false
	}
	if _, err := hex.Decode(unit[:], rest[2:6]); err != nil {
		return 0, false
	}
	d.pos += 6
	return rune(binary.BigEndian.Uint16(unit[:])), true
}

// number reads the text of a number (RFC 8259 §6). whole is true if it is written
// without fraction and exponent.
func (d *decoder) number() (text string, whole bool, err error) {
	start := d.pos
	whole = true
	if d.raw[d.pos] == '-' {
		d.pos++
	}
	first := d.pos
	if !d.digits() || d.raw[first] == '0' && d.pos > first+1 {
		return "", false, d.malformed()
	}
	if d.pos < len(d.raw) && d.raw[d.pos] == '.' {
		whole = false
		if d.pos++; !d.digits() {
			return "", false, d.malformed()
		}
	}
	if d.pos < len(d.raw) && (d.raw[d.pos] == 'e' || d.raw[d.pos] == 'E') {
		whole = false
		if d.pos++; d.pos < len(d.raw) && (d.raw[d.pos] == '+' || d.raw[d.pos] == '-') {
			d.pos++
		}
		if !d.digits() {
			return "", false, d.malformed()
		}
	}
	return string(d.raw[start:d.pos]), whole, nil
}

// digits skips digits; it returns false if there is none.
func (d *decoder) digits() bool {
	start := d.pos
	for d.pos < len(d.raw) && d.raw[d.pos] >= '0' && d.raw[d.pos] <= '9' {
		d.pos++
	}
	return d.pos > start
}

func (d *decoder) double() (float64, error) {
	text, _, err := d.number()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, d.fault("is out of range")
	}
	return n, nil
}

// int32 also accepts 3.0 and 3e2, which are whole (JSON Schema, "integer").
func (d *decoder) int32() (int32, error) {
	text, whole, err := d.number()
	if err != nil {
		return 0, err
	}
	if whole {
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			return int32(n), nil
		}
		return 0, d.fault("is out of range")
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return 0, d.fault("is out of range")
	case n != math.Trunc(n):
		return 0, d.fault("must be a whole number")
	case n < math.MinInt32 || n > math.MaxInt32:
		return 0, d.fault("is out of range")
	}
	return int32(n), nil
}
