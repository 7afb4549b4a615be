package password

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
)

// earlier is a stored hash of "correct horse" with low cost parameters.
const earlier = "$argon2id$v=19$m=64,t=1,p=1$xypyf0x6A6WBvO/p0tzd8A$W7Pcu6izjCNLpQP93BuJrZXC1Tt4eQc1YsA4NZpWLLc"

func small(t *testing.T) *Hasher {
	t.Helper()
	h, err := New(Config{Params: Params{Memory: 64, Time: 1, Threads: 1}, Limits: Limits{AtOnce: 1, Waiting: 1, PerShare: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestStoredStringStaysReadable(t *testing.T) {
	for plain, want := range map[string]bool{"correct horse": true, "correct horse ": false} {
		if ok, stale, err := small(t).Check(t.Context(), Share{}, plain, earlier); ok != want || stale || err != nil {
			t.Errorf("%q: %t, stale %t, %v", plain, ok, stale, err)
		}
	}
	r, err := parse(earlier)
	if err != nil || r.String() != earlier {
		t.Errorf("%s is formatted as %s, %v", earlier, r, err)
	}
}

// RFC 9106 §4 recommends a salt of 128 bits and a tag of 256 bits.
func TestSaltAndTagSizes(t *testing.T) {
	stored, err := small(t).Hash(t.Context(), Share{}, "x")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(stored, "$")
	for part, size := range map[string]int{parts[4]: 16, parts[5]: 32} {
		if raw, err := base64.RawStdEncoding.DecodeString(part); len(raw) != size || err != nil {
			t.Errorf("%s has %d bytes, want %d (%v)", part, len(raw), size, err)
		}
	}
}

func TestParseRejectsDamagedStrings(t *testing.T) {
	for _, c := range []struct {
		old, now string
		good     bool
	}{
		{"m=64", "m=1048576", true}, {"m=64", "m=1048577", false}, {"m=64", "m=-1", false}, {"m=64", "k=64", false}, {"m=64", "m=4294967360", false},
		{"t=1", "t=2", true}, {"t=1", "t=0", false}, {"p=1", "p=2", true}, {"p=1", "p=0", false}, {"p=1", "p=256", false},
		{"$argon2id", "x$argon2id", false}, {"$argon2id", "argon2id", false}, {"argon2id", "argon2i", false}, {"v=19", "v=16", false}, {"$v=19", "", false},
		{earlier[len(earlier)-43:], earlier[len(earlier)-43:] + "$", false}, {earlier[len(earlier)-43:], strings.Repeat("A", 42), false},
		{earlier[len(earlier)-43:], strings.Repeat("A", 44), false}, {earlier[len(earlier)-43:], strings.Repeat("A", 42) + "!", false}, {"p=1$", "p=1$!", false},
	} {
		stored := strings.Replace(earlier, c.old, c.now, 1)
		if _, err := parse(stored); (err == nil) != c.good {
			t.Errorf("%s: %v", stored, err)
		}
		if !c.good {
			if ok, stale, err := small(t).Check(t.Context(), Share{}, "correct horse", stored); ok || stale || err == nil {
				t.Errorf("%s: %t, stale %t, %v", stored, ok, stale, err)
			}
		}
	}
}

// Without this rule, the placeholder hash of an unknown email address could match a password by
// chance.
func TestPlaceholderHashNeverMatches(t *testing.T) {
	h := small(t)
	var err error
	if h.nobody, err = parse(earlier); err != nil {
		t.Fatal(err)
	}
	if ok, stale, err := h.Check(t.Context(), Share{}, "correct horse", ""); ok || stale || err != nil {
		t.Errorf("%t, stale %t, %v", ok, stale, err)
	}
}

func TestNewRequiresPositiveLimits(t *testing.T) {
	least := Config{Params: Params{Time: 1, Threads: 1}, Limits: Limits{AtOnce: 1, Waiting: 1, PerShare: 1}}
	if _, err := New(least); err != nil {
		t.Errorf("the minimum of each limit: %v", err)
	}
	for name, spoil := range map[string]func(*Config){
		"at once": func(c *Config) { c.Limits.AtOnce = 0 }, "waiting": func(c *Config) { c.Limits.Waiting = 0 }, "per share": func(c *Config) { c.Limits.PerShare = 0 },
		"passes": func(c *Config) { c.Params.Time = 0 }, "lanes": func(c *Config) { c.Params.Threads = 0 },
	} {
		c := least
		spoil(&c)
		if _, err := New(c); err == nil {
			t.Errorf("New succeeded without %s", name)
		}
	}
}

func TestDefaultCost(t *testing.T) {
	if Default != (Params{Memory: 19456, Time: 2, Threads: 1}) {
		t.Errorf("%+v", Default)
	}
}

func TestCanceledCheckIsNotAWrongPassword(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, stored := range []string{earlier, ""} {
		if ok, stale, err := small(t).Check(ctx, Share{}, "correct horse", stored); ok || stale || errs.KindOf(err) != errs.Unavailable {
			t.Errorf("%q: %t, stale %t, %v", stored, ok, stale, err)
		}
	}
}
