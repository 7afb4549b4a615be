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
	// minKey is the least length of a key in bytes, that of the hash which it keys
	// (RFC 2104 §3).
	minKey = 32
	// maxKeys bounds what verifying something made up costs.
	maxKeys = 8
)

// idForm is what an id may be. No key is as short, so what has this form can be shown.
var idForm = regexp.MustCompile(`^[a-z0-9-]{1,16}$`)

type key struct {
	id     string
	secret []byte
}

// Ring is the keys of one purpose. The zero value has none and signs nothing.
type Ring struct {
	// name tells it from other rings in metrics and in names of variables.
	name string
	keys []key
}

// UnmarshalText reads "id:base64[,id:base64...]".
func (r *Ring) UnmarshalText(text []byte) error {
	entries := strings.Split(string(text), ",")
	if len(entries) > maxKeys {
		return fmt.Errorf("%d keys are more than the %d that a ring may have", len(entries), maxKeys)
	}
	keys := make([]key, 0, len(entries))
	for i, entry := range entries {
		id, encoded, found := strings.Cut(entry, ":")
		if !found || !idForm.MatchString(id) {
			// Where the id should be there may be the key. It is not shown.
			return fmt.Errorf("key %d is not of the form id:base64 with an id of 1 to 16 of a-z, 0-9 and -", i+1)
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
				return fmt.Errorf("keys %q and %q are the same", other.id, id)
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

// Format implements fmt.Formatter. It keeps the keys out of logs.
func (Ring) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(secret)") }

// Named gives the ring its name, which is the ring's label in metrics and stands in the
// name of its variable: the ring "cv_link" is in VITAE_CV_LINK_KEYS.
func (r Ring) Named(name string) (Ring, error) {
	if len(r.keys) == 0 {
		return Ring{}, fmt.Errorf("%s is not set", plural(name))
	}
	r.name = name
	return r, nil
}

func plural(name string) string { return "VITAE_" + strings.ToUpper(name) + "_KEYS" }
