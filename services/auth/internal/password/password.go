package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"

	"golang.org/x/crypto/argon2"

	"vitae.internal/pkg/errs"
)

const (
	saltLen = 16
	hashLen = 32
)

// Hasher makes and checks hashes.
type Hasher struct {
	params Params
	slots  chan struct{}
	// nobody is checked in place of the hash of an unknown address.
	nobody record
}

// New makes a Hasher that hashes at the given cost and runs at most atOnce computations
// at a time, or one if atOnce is smaller.
func New(params Params, atOnce int) *Hasher {
	h := &Hasher{params: params, slots: make(chan struct{}, max(atOnce, 1))}
	h.nobody = record{params: params, salt: random(saltLen), hash: random(hashLen)}
	return h
}

// Hash gives the string to store for a password. It waits until a computation may run;
// the error is Unavailable if ctx ends first.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	r := record{params: h.params, salt: random(saltLen)}
	hash, err := h.compute(ctx, password, r)
	if err != nil {
		return "", err
	}
	r.hash = hash
	return r.String(), nil
}

// Check reports whether the password is that of the stored string, and whether the
// string is stale because the cost has changed since. For an empty string it answers
// false, after the time that a wrong password takes.
func (h *Hasher) Check(ctx context.Context, password, stored string) (ok, stale bool, err error) {
	r := h.nobody
	if stored != "" {
		if r, err = parse(stored); err != nil {
			return false, false, err
		}
	}
	hash, err := h.compute(ctx, password, r)
	if err != nil {
		return false, false, err
	}
	same := subtle.ConstantTimeCompare(hash, r.hash) == 1
	return same && stored != "", r.params != h.params, nil
}

func (h *Hasher) compute(ctx context.Context, password string, r record) ([]byte, error) {
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The service cannot answer now.").WithCause(ctx.Err())
	}
	return argon2.IDKey([]byte(password), r.salt, r.params.Time, r.params.Memory, r.params.Threads, hashLen), nil
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails since Go 1.24
	return b
}
