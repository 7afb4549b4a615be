package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"slices"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"
)

const (
	saltLen = 16
	hashLen = 32
)

// Config configures a Hasher. All fields are required.
type Config struct {
	// Params is the cost of new hashes.
	Params Params
	Limits Limits
}

// Hasher creates and checks password hashes.
type Hasher struct {
	params Params
	gate   *gate
	// nobody is checked in place of the hash of an unknown email address, so that the check takes the same time.
	nobody record
}

// New returns a Hasher. Its computations together use at most AtOnce times the memory in Params.
func New(c Config) (*Hasher, error) {
	if l := c.Limits; l.AtOnce < 1 || l.Waiting < 1 || l.PerShare < 1 || c.Params.Time < 1 || c.Params.Threads < 1 {
		return nil, errors.New("password: the limits and the cost must be positive")
	}
	h := &Hasher{params: c.Params, gate: newGate(c.Limits, uint64(c.Limits.AtOnce)*uint64(c.Params.Memory))}
	h.nobody = record{params: c.Params, salt: random(saltLen), hash: random(hashLen)}
	return h, nil
}

// Hash returns the string to store for a password. It waits until the computation may run. Errors: ErrBusy;
// Unavailable if ctx is done first.
func (h *Hasher) Hash(ctx context.Context, by Share, password string) (string, error) {
	r := record{params: h.params, salt: random(saltLen)}
	hash, err := h.compute(ctx, by, normalize(password), r)
	if err != nil {
		return "", err
	}
	r.hash = hash
	return r.String(), nil
}

// Check reports whether the password matches the stored string. It also reports whether that string is stale: its
// cost is outdated, or it was created before passwords were normalized. If stored is empty, Check returns false
// after the same time as for a wrong password. It returns the same errors as Hash.
func (h *Hasher) Check(ctx context.Context, by Share, password, stored string) (ok, stale bool, err error) {
	r := h.nobody
	if stored != "" {
		if r, err = parse(stored); err != nil {
			return false, false, err
		}
	}
	stale = r.params != h.params
	for i, form := range forms(password) {
		hash, err := h.compute(ctx, by, form, r)
		if err != nil {
			return false, false, err
		}
		if subtle.ConstantTimeCompare(hash, r.hash) == 1 {
			return stored != "", stale || i > 0, nil
		}
	}
	return false, stale, nil
}

// normalize returns the canonical form of a password, which is what gets hashed. It applies the OpaqueString profile
// (RFC 8265 §4.2), so that a password is the same whatever the keyboard. It also accepts characters that
// OpaqueString forbids, such as the joiners in emoji; a password with such characters is only normalized to NFC.
func normalize(password string) string {
	if opaque, err := precis.OpaqueString.String(password); err == nil {
		return opaque
	}
	return norm.NFC.String(password)
}

// forms returns all forms in which the password may have been hashed. Old hashes were computed from the password as
// sent by the keyboard, in composed or decomposed form.
func forms(password string) []string {
	all := []string{normalize(password)}
	for _, form := range []string{password, norm.NFD.String(password)} {
		if !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	return all
}

func (h *Hasher) compute(ctx context.Context, by Share, password string, r record) ([]byte, error) {
	leave, err := h.gate.enter(ctx, by, uint64(r.params.Memory))
	if err != nil {
		return nil, err
	}
	defer leave()
	return argon2.IDKey([]byte(password), r.salt, r.params.Time, r.params.Memory, r.params.Threads, hashLen), nil
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // rand.Read never fails since Go 1.24
	return b
}
