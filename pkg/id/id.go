// Package id creates identifiers. An identifier has a prefix for its kind, sorts by creation time,
// because it contains a UUIDv7 (RFC 9562 §5.7), and is opaque to callers.
package id

import (
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"

	"github.com/google/uuid"
)

// encoding is base32hex in lower case, which preserves the order of the encoded bytes.
var encoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// New returns a new identifier, which consists of the prefix, "_", and 26 characters.
func New(prefix string) string {
	u := uuid.Must(uuid.NewV7())
	return prefix + "_" + encoding.EncodeToString(u[:])
}

// NewAt returns a new identifier with the given creation time, to the millisecond. It is for
// records that are written later than they were created.
func NewAt(prefix string, at time.Time) string {
	u := uuid.Must(uuid.NewV7())
	random := binary.BigEndian.Uint16(u[6:])
	binary.BigEndian.PutUint64(u[:], uint64(at.UnixMilli())<<16|uint64(random))
	return prefix + "_" + encoding.EncodeToString(u[:])
}

// Valid reports whether s has the format of an identifier with the prefix.
func Valid(prefix, s string) bool {
	_, ok := decode(prefix, s)
	return ok
}

// MadeAt returns the creation time of an identifier, to the millisecond. ok reports whether s is an
// identifier with the prefix.
func MadeAt(prefix, s string) (at time.Time, ok bool) {
	raw, ok := decode(prefix, s)
	if !ok {
		return time.Time{}, false
	}
	// The first 48 bits are milliseconds since 1970 (RFC 9562 §5.7).
	return time.UnixMilli(int64(binary.BigEndian.Uint64(raw) >> 16)).UTC(), true
}

func decode(prefix, s string) (raw []byte, ok bool) {
	body, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(body) != 26 {
		return nil, false
	}
	raw, err := encoding.DecodeString(body)
	return raw, err == nil && len(raw) == 16
}
