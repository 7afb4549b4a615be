package testkit

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"vitae.internal/pkg/keyring"
)

// Secret returns the key for an id. It is the same in every run.
func Secret(id string) []byte {
	secret := sha256.Sum256([]byte("the key " + id + " of tests"))
	return secret[:]
}

// Keys returns the setting for a key ring with the given ids.
func Keys(ids ...string) string {
	entries := make([]string, len(ids))
	for i, id := range ids {
		entries[i] = id + ":" + base64.StdEncoding.EncodeToString(Secret(id))
	}
	return strings.Join(entries, ",")
}

// Ring returns a key ring with the given name and ids. It panics if an id is invalid.
func Ring(name string, ids ...string) keyring.Ring {
	var keys keyring.Ring
	if err := keys.UnmarshalText([]byte(Keys(ids...))); err != nil {
		panic(err)
	}
	ring, err := keys.Named(name)
	if err != nil {
		panic(err)
	}
	return ring
}
