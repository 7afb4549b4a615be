package password

import (
	"testing"

	"golang.org/x/crypto/argon2"
)

const (
	composed  = "P\u00e4ssw\u00f6rd f\u00fcr Mira"
	combining = "Pa\u0308sswo\u0308rd fu\u0308r Mira"
)

// Depending on the keyboard and browser, the same letter is encoded differently (RFC 8265 §4.2.2).
func TestPasswordMatchesInAnyUnicodeForm(t *testing.T) {
	t.Parallel()
	h := small(t)
	for set, typed := range map[string][]string{
		composed: {combining, "P\u00e4ssw\u00f6rd\u00a0f\u00fcr\u2003Mira"}, combining: {composed},
		"\u2764\ufe0f\u200d\U0001f525 cafe\u0301": {"\u2764\ufe0f\u200d\U0001f525 caf\u00e9"}, // the OpaqueString profile forbids these characters
	} {
		stored, err := h.Hash(t.Context(), Share{}, set)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range append(typed, set) {
			if ok, stale, err := h.Check(t.Context(), Share{}, form, stored); !ok || stale || err != nil {
				t.Errorf("set %q, typed %q: %t, stale %t, %v", set, form, ok, stale, err)
			}
		}
		if ok, _, err := h.Check(t.Context(), Share{}, set+"x", stored); ok || err != nil {
			t.Errorf("a different password than %q: %t, %v", set, ok, err)
		}
	}
}

func TestUnnormalizedHashStaysValid(t *testing.T) {
	t.Parallel()
	h := small(t)
	r := record{params: h.params, salt: random(saltLen)}
	r.hash = argon2.IDKey([]byte(combining), r.salt, r.params.Time, r.params.Memory, r.params.Threads, hashLen)
	for _, typed := range []string{combining, composed} { // a different keyboard sends the composed form
		if ok, stale, err := h.Check(t.Context(), Share{}, typed, r.String()); !ok || !stale || err != nil {
			t.Errorf("typed %+q: %t, stale %t, %v", typed, ok, stale, err)
		}
	}
}
