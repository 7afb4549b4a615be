package keyring

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"hash"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var verified = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_key_verified_total",
	Help: "Number of verified signatures, by ring and by id of the signing key.",
}, []string{"ring", "key"})

// Size is the length of a signature, in bytes.
const Size = sha256.Size

// MAC signs messages for one purpose with the keys of a ring. A signature is the HMAC-SHA256 of the
// purpose, a NUL and the message. It is not valid for any other purpose, even if two rings share a
// key.
type MAC struct {
	purpose []byte
	keys    []macKey
}

type macKey struct {
	// states is a pool of hash.Hash values with the key, which are expensive to create and cheap to
	// reset.
	states *sync.Pool
	uses   prometheus.Counter
}

// MAC returns the ring's MAC for a purpose, which must be unique. The ring must have a name.
func (r Ring) MAC(purpose string) (*MAC, error) {
	if r.name == "" || len(r.keys) == 0 {
		return nil, errors.New("keyring: the ring has no name or no keys")
	}
	if purpose == "" || strings.ContainsRune(purpose, 0) {
		return nil, errors.New("keyring: the purpose must not be empty or contain NUL")
	}
	m := &MAC{purpose: append([]byte(purpose), 0)}
	for _, k := range r.keys {
		states := &sync.Pool{New: func() any { return hmac.New(sha256.New, k.secret) }}
		m.keys = append(m.keys, macKey{states, r.uses(k)})
	}
	return m, nil
}

// Sign signs a message with the ring's first key.
func (m *MAC) Sign(message []byte) [Size]byte { return m.sum(m.keys[0], message) }

// Verify reports whether any of the ring's keys signed the message, and counts a use of that key.
// Its duration does not depend on the key.
func (m *MAC) Verify(message, signature []byte) bool {
	by := -1
	for i, k := range m.keys {
		sum := m.sum(k, message)
		by = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], signature), i, by)
	}
	if by < 0 {
		return false
	}
	m.keys[by].uses.Inc()
	return true
}

func (m *MAC) sum(k macKey, message []byte) (sum [Size]byte) {
	h, _ := k.states.Get().(hash.Hash) // it is always a hash.Hash
	h.Reset()
	h.Write(m.purpose)
	h.Write(message)
	h.Sum(sum[:0])
	k.states.Put(h)
	return sum
}

// Secrets yields the keys, starting with the signing key, for libraries that compute signatures
// themselves. used counts a verification with the key.
func (r Ring) Secrets(yield func(secret []byte, used func()) bool) {
	for _, k := range r.keys {
		if !yield(k.secret, r.uses(k).Inc) {
			return
		}
	}
}

// uses returns the counter of a key. Creating it at the start makes it possible to distinguish an
// unused key from a missing ring.
func (r Ring) uses(k key) prometheus.Counter { return verified.WithLabelValues(r.name, k.id) }
