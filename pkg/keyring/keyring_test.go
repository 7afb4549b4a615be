package keyring_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/keyring"
)

// secret returns a base64 key that is different for each seed.
func secret(seed byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{seed}, 32))
}

// ring returns a named ring. Each entry has the form "id=seed".
func ring(t testing.TB, name string, entries ...string) keyring.Ring {
	t.Helper()
	var r keyring.Ring
	text := make([]string, len(entries))
	for i, e := range entries {
		id, seed, _ := strings.Cut(e, "=")
		text[i] = id + ":" + secret(seed[0])
	}
	if err := r.UnmarshalText([]byte(strings.Join(text, ","))); err != nil {
		t.Fatal(err)
	}
	named, err := r.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return named
}

func mac(t testing.TB, r keyring.Ring, purpose string) *keyring.MAC {
	t.Helper()
	m, err := r.MAC(purpose)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// uses returns the value of vitae_key_verified_total for a key.
func uses(t *testing.T, ringName, id string) float64 {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			l := m.GetLabel()
			if f.GetName() == "vitae_key_verified_total" && l[0].GetValue() == id && l[1].GetValue() == ringName {
				return m.GetCounter().GetValue()
			}
		}
	}
	t.Fatalf("no counter for key %s of ring %s", id, ringName)
	return 0
}

func TestFirstKeySignsAndAllVerify(t *testing.T) {
	message := []byte("lnk_1")
	before, after := mac(t, ring(t, "rotated", "old=1"), "a link"), mac(t, ring(t, "rotated", "new=2", "old=1"), "a link")
	byOld, byNew := before.Sign(message), after.Sign(message)
	if byOld == byNew {
		t.Fatal("the first key does not sign")
	}
	if uses(t, "rotated", "old") != 0 || uses(t, "rotated", "new") != 0 {
		t.Error("unused keys were counted")
	}
	if !after.Verify(message, byOld[:]) || !after.Verify(message, byOld[:]) || !after.Verify(message, byNew[:]) {
		t.Error("a signature by a key in the ring does not verify")
	}
	if before.Verify(message, byNew[:]) {
		t.Error("a signature by a key that is not in the ring verifies")
	}
	if old, fresh := uses(t, "rotated", "old"), uses(t, "rotated", "new"); old != 2 || fresh != 1 {
		t.Errorf("%v verifications by the old key and %v by the new one, want 2 and 1", old, fresh)
	}
}

// Partners store links that were signed by earlier releases, so signatures must not change.
func TestSignatureIsHMACOfPurposeAndMessage(t *testing.T) {
	h := hmac.New(sha256.New, bytes.Repeat([]byte{'k'}, 32))
	h.Write([]byte("vitae durable CV link v1\x00lnk_1"))
	if got := mac(t, ring(t, "form", "a=k"), "vitae durable CV link v1").Sign([]byte("lnk_1")); !bytes.Equal(got[:], h.Sum(nil)) {
		t.Error("the signature differs from that of earlier releases")
	}
}

func TestOnlyMatchingSignatureVerifies(t *testing.T) {
	r := ring(t, "strict", "b=2", "a=1")
	m := mac(t, r, "one")
	signature := m.Sign([]byte("message"))
	changed := signature
	changed[31] ^= 1
	other := mac(t, ring(t, "stranger", "a=3"), "one").Sign([]byte("message"))
	anotherPurpose := mac(t, r, "two").Sign([]byte("message"))
	for name, s := range map[string][]byte{
		"nothing": nil, "short": signature[:31], "long": append(signature[:], 0), "changed": changed[:],
		"of a different ring": other[:], "of a different purpose": anotherPurpose[:], "zeros": make([]byte, 32),
	} {
		if m.Verify([]byte("message"), s) {
			t.Errorf("%s: verified", name)
		}
	}
	if m.Verify([]byte("massage"), signature[:]) {
		t.Error("a signature of a different message verifies")
	}
}

func TestInvalidRingIsRejectedWithoutLeak(t *testing.T) {
	type deployment struct {
		Keys keyring.Ring `env:"VITAE_TEST_KEYS"`
	}
	short := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 31))
	many := make([]string, 9)
	for i := range many {
		many[i] = fmt.Sprintf("k%d:%s", i, secret(byte(i)))
	}
	for name, c := range map[string]struct{ text, says string }{
		"no id":                  {secret(1), "key 1"},
		"an empty id":            {":" + secret(1), "key 1"},
		"id and key swapped":     {secret(1) + ":a", "key 1"},
		"upper case":             {"A:" + secret(1), "key 1"},
		"an id of 17 characters": {strings.Repeat("a", 17) + ":" + secret(1), "key 1"},
		"a space":                {"a:" + secret(1) + ", b:" + secret(2), "key 2"},
		"a trailing comma":       {"a:" + secret(1) + ",", "key 2"},
		"invalid base64":         {"a:" + secret(1) + "!", `"a"`},
		"a short key":            {"a:" + secret(1) + ",b:" + short, `"b"`},
		"a duplicate id":         {"a:" + secret(1) + ",a:" + secret(2), `"a"`},
		"a duplicate key":        {"a:" + secret(1) + ",b:" + secret(1), `"b"`},
		"more than eight":        {strings.Join(many, ","), "9 keys"},
		"an empty key":           {"a:", `"a"`},
	} {
		_, err := config.Load[deployment](config.Environment{"VITAE_TEST_KEYS": c.text})
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if !strings.Contains(err.Error(), "VITAE_TEST_KEYS") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q does not contain the variable and %s", name, err, c.says)
		}
		for _, leaked := range []string{secret(1), secret(2), short, secret(1)[:12]} {
			if strings.Contains(err.Error(), leaked) {
				t.Errorf("%s: %q contains the key", name, err)
			}
		}
	}
	if _, err := config.Load[deployment](config.Environment{"VITAE_TEST_KEYS": strings.Join(many[:8], ",")}); err != nil {
		t.Errorf("eight keys: %v", err)
	}
}

func TestRingIsPrintedWithoutKeys(t *testing.T) {
	type deployment struct {
		Keys keyring.Ring `env:"VITAE_TEST_KEYS"`
	}
	d, err := config.Load[deployment](config.Environment{"VITAE_TEST_KEYS": "a:" + secret('s')})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "all", d, "keys", d.Keys)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "all", d, "keys", d.Keys)
	printed, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		printed = fmt.Appendf(printed, verb+verb, d, d.Keys)
	}
	printed = append(printed, log.Bytes()...)
	for _, leak := range []string{secret('s')[:12], "ssss", "7373", "115 115"} {
		if bytes.Contains(printed, []byte(leak)) {
			t.Errorf("the key was printed (%q): %s", leak, printed)
		}
	}
}

func TestRingRequiresNameAndKeys(t *testing.T) {
	var unnamed keyring.Ring
	if _, err := unnamed.MAC("p"); err == nil {
		t.Error("the zero ring returned a MAC")
	}
	if err := unnamed.UnmarshalText([]byte("a:" + secret(1))); err != nil {
		t.Fatal(err)
	}
	if _, err := unnamed.MAC("p"); err == nil {
		t.Error("a ring without a name returned a MAC")
	}
	for _, purpose := range []string{"", "a\x00b"} {
		if _, err := ring(t, "purposes", "a=1").MAC(purpose); err == nil {
			t.Errorf("purpose %q was accepted", purpose)
		}
	}
}
