package job

import (
	"strings"
)

// Key is an idempotency key, unique within a company. It is empty if there is none.
type Key string

// maxKey is the longest idempotency key in characters (behaviour: jobs#idempotency-key).
const maxKey = 255

// ParseHeaderKey checks the key of an attempt from a header, which must be there
// once. A header carries only ASCII unharmed (RFC 9110 §5.5), and gRPC metadata, which
// hands it on, takes no more than that. field is the header's name. Errors: as ParseKey.
func ParseHeaderKey(field string, lines ...string) (Key, error) {
	f := newFaults()
	if len(lines) != 1 {
		f.Add(field, "must be sent once")
	} else if strings.ContainsFunc(lines[0], func(r rune) bool { return r <= ' ' || r > '~' }) {
		f.Add(field, "must hold visible ASCII characters only")
	}
	if err := f.Err(); err != nil {
		return "", err
	}
	return ParseKey(field, lines[0])
}

// ParseKey checks the key of an attempt: 1 to 255 visible characters of any script.
// field is the place of the key in the request.
// Errors: INVALID_ARGUMENT PUBLIC_API_VALIDATION_ERROR naming field.
func ParseKey(field, key string) (Key, error) {
	f := newFaults()
	f.visible(field, key, maxKey)
	if key == "" {
		f.Add(field, "must not be empty")
	}
	if err := f.Err(); err != nil {
		return "", err
	}
	return Key(key), nil
}
