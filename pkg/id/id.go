// Package id makes identifiers. They have a prefix for their kind, sort by the time at
// which they were made (they hold a UUIDv7, RFC 9562 §5.7), and are opaque to callers.
package id

import (
	"encoding/base32"
	"strings"

	"github.com/google/uuid"
)

// Lower-case base32hex keeps the order of the bytes it encodes.
var encoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// New makes an identifier of a kind, for example New("usr"): the prefix, "_",
// and 26 characters.
func New(prefix string) string {
	u := uuid.Must(uuid.NewV7())
	return prefix + "_" + encoding.EncodeToString(u[:])
}

// Valid reports whether s has the form of an identifier of the kind.
func Valid(prefix, s string) bool {
	body, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(body) != 26 {
		return false
	}
	raw, err := encoding.DecodeString(body)
	return err == nil && len(raw) == 16
}
