package keyring

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

const (
	// minKey is the minimum length of a key in bytes, which is the size of the hash (RFC 2104 §3).
	minKey = 32
	// maxKeys is the maximum number of keys in a ring. It limits the cost of verifying invalid
	// signatures.
	maxKeys = 8
)

// idForm matches ids. Keys are longer than ids, so a value that matches can be printed safely.
var idForm = regexp.MustCompile(`^[a-z0-9-]{1,16}$`)

type key struct {
	id     string
	secret []byte
}

// Ring holds the keys for one purpose. The zero value has no keys and cannot sign.
type Ring struct {
	// name identifies the ring in metrics and in variable names.
	name string
	keys []key
}

// UnmarshalText parses "id:base64[,id:base64...]".
func (r *Ring) UnmarshalText(text []byte) error {
	entries := strings.Split(string(text), ",")
	if len(entries) > maxKeys {
		return fmt.Errorf("there are %d keys, but a ring can have at most %d", len(entries), maxKeys)
	}
	keys := make([]key, 0, len(entries))
	for i, entry := range entries {
		id, encoded, found := strings.Cut(entry, ":")
		if !found || !idForm.MatchString(id) {
			// The text before the colon may be the key, so it is not printed.
			return fmt.Errorf("key %d must have the form id:base64, with an id of 1 to 16 characters a-z, 0-9 and -", i+1)
		}
		secret, err := decode(encoded)
		if err != nil {
			return fmt.Errorf("key %q: %w", id, err)
		}
		for _, other := range keys {
			switch {
			case other.id == id:
				return fmt.Errorf("there are two keys %q", id)
			case string(other.secret) == string(secret):
				return fmt.Errorf("keys %q and %q are equal", other.id, id)
			}
		}
		keys = append(keys, key{id, secret})
	}
	r.keys = keys
	return nil
}

func decode(encoded string) ([]byte, error) {
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, errors.New("it is not base64")
	}
	if len(secret) < minKey {
		return nil, fmt.Errorf("it is shorter than %d bytes", minKey)
	}
	return secret, nil
}

// Format prints a placeholder, which keeps the keys out of logs.
func (Ring) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(secret)") }

// Named returns a copy of r with a name. The name is the ring's label in metrics and part of its
// variable: the keys of ring "cv_link" are in VITAE_CV_LINK_KEYS.
func (r Ring) Named(name string) (Ring, error) {
	if len(r.keys) == 0 {
		return Ring{}, fmt.Errorf("%s is not set", plural(name))
	}
	r.name = name
	return r, nil
}

func plural(name string) string { return "VITAE_" + strings.ToUpper(name) + "_KEYS" }
