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
	Help: "Signatures that verified, by ring and by the id of the key that made them.",
}, []string{"ring", "key"})

// Size is the length of a signature in bytes.
const Size = sha256.Size

// MAC signs messages for one purpose with the keys of a ring, by HMAC-SHA256 over the
// purpose, a NUL and the message. What it signs is worth nothing for another purpose,
// even if two rings have a key in common.
type MAC struct {
	purpose []byte
	keys    []macKey
}

type macKey struct {
	// states hold the key's hash.Hash, which is costly to make and quick to reset.
	states *sync.Pool
	uses   prometheus.Counter
}

// MAC gives the ring's MAC for a purpose, a text that is nowhere else a purpose. The ring
// must have a name.
func (r Ring) MAC(purpose string) (*MAC, error) {
	if r.name == "" || len(r.keys) == 0 {
		return nil, errors.New("keyring: a ring without a name or without keys signs nothing")
	}
	if purpose == "" || strings.ContainsRune(purpose, 0) {
		return nil, errors.New("keyring: a purpose is a text without NUL")
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

// Verify reports whether one of the ring's keys has signed the message. It takes the same
// time whichever key that was, and counts the key.
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
	h, _ := k.states.Get().(hash.Hash) // it holds nothing else
	h.Reset()
	h.Write(m.purpose)
	h.Write(message)
	h.Sum(sum[:0])
	k.states.Put(h)
	return sum
}

// Secrets gives the keys themselves, the signing one first, for libraries that sign by
// themselves. used counts that a key has verified something.
func (r Ring) Secrets(yield func(secret []byte, used func()) bool) {
	for _, k := range r.keys {
		if !yield(k.secret, r.uses(k).Inc) {
			return
		}
	}
}

// uses is the key's counter. It exists from the start, so that a key which verifies
// nothing is told from a ring that is not there.
func (r Ring) uses(k key) prometheus.Counter { return verified.WithLabelValues(r.name, k.id) }
