package photolink_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/admission/photolink"
	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/testkit"
)

const (
	connection = "con_0123456789abcdefghijklmnop"
	person     = "usr_0123456789abcdefghijklmnop"
	base       = "https://api.example"
)

var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// signer returns a Signer with the keys of these ids.
func signer(t testing.TB, ids ...string) *photolink.Signer {
	t.Helper()
	s, err := photolink.New(testkit.Ring("cv_link", ids...), base)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func token(t testing.TB, address string) string {
	t.Helper()
	token, ok := strings.CutPrefix(address, base+photolink.PathPrefix)
	if !ok || len(address) > 255 {
		t.Fatalf("%s is not below the base URL, or does not fit a short column", address)
	}
	return token
}

func TestAddressRoundTrip(t *testing.T) {
	s := signer(t, "a")
	for address, want := range map[string]photolink.Photo{
		s.OfConsent(connection, 0):     {ConnectionID: connection},
		s.OfConsent(connection, 1<<30): {ConnectionID: connection, Version: 1 << 30},
		s.OfApplicant(person, now):     {PersonID: person},
		s.OfApplicant("a.b.c", now):    {PersonID: "a.b.c"},
	} {
		if got, ok := s.Verify(token(t, address), now); !ok || got != want {
			t.Errorf("%s says %+v, %t; want %+v", address, got, ok, want)
		}
	}
	if s.OfConsent(connection, 3) != signer(t, "a").OfConsent(connection, 3) || s.OfConsent(connection, 3) == s.OfConsent(connection, 4) {
		t.Error("an address does not follow its version")
	}
}

func TestApplicantAddressExpires(t *testing.T) {
	s := signer(t, "a")
	address := token(t, s.OfApplicant(person, now))
	for after, want := range map[time.Duration]bool{
		0: true, 5*time.Minute - time.Second: true, 5 * time.Minute: false, time.Hour: false,
	} {
		if _, ok := s.Verify(address, now.Add(after)); ok != want {
			t.Errorf("after %s it works: %t", after, ok)
		}
	}
	if _, ok := s.Verify(token(t, s.OfConsent(connection, 1)), now.AddDate(10, 0, 0)); !ok {
		t.Error("the address of a consent expires")
	}
}

func TestChangedTokenIsRefused(t *testing.T) {
	s := signer(t, "a")
	for _, good := range []string{token(t, s.OfConsent(connection, 7)), token(t, s.OfApplicant(person, now))} {
		for i := range good {
			for _, c := range "A_z9-=." {
				changed := good[:i] + string(c) + good[i+1:]
				if _, ok := s.Verify(changed, now); ok && changed != good {
					t.Fatalf("accepted %s, changed at %d", changed, i)
				}
			}
		}
		for _, other := range []string{good + "A", good + "=", good[1:], good[:len(good)-1]} {
			if _, ok := s.Verify(other, now); ok {
				t.Errorf("accepted %s", other)
			}
		}
	}
	links, err := cvlink.New(testkit.Ring("cv_link", "a"), base)
	if err != nil {
		t.Fatal(err)
	}
	for name, foreign := range map[string]string{
		"nothing": "", "text": "made-up", "long": strings.Repeat("A", 1<<20), "zeros": strings.Repeat("A", 43),
		"another key": token(t, signer(t, "b").OfConsent(connection, 7)),
		// The same key signs durable links.
		"a durable link": links.Token("c7." + connection),
	} {
		if got, ok := s.Verify(foreign, now); ok {
			t.Errorf("%s is accepted as %+v", name, got)
		}
	}
	if _, ok := links.Verify(token(t, s.OfConsent(connection, 7))); ok {
		t.Error("the address of a photo is accepted as a durable link")
	}
}

// Base64 leaves bits of its last character unused, and Go's decoder skips line breaks.
func TestTokenHasOneEncoding(t *testing.T) {
	s := signer(t, "a")
	for _, id := range []string{connection, connection + "q", connection + "qr"} {
		good := token(t, s.OfConsent(id, 7))
		last := len(good) - 1
		for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
			other := good[:last] + string(c)
			if _, ok := s.Verify(other, now); ok && other != good {
				t.Errorf("%s is taken for %s", other, good)
			}
		}
		for _, other := range []string{good + "\n", "\r\n" + good, good[:9] + "\n" + good[9:]} {
			if _, ok := s.Verify(other, now); ok {
				t.Errorf("%q is taken for %s", other, good)
			}
		}
	}
}

// signed returns a token with any content, signed with key a.
func signed(said string) string {
	mac := hmac.New(sha256.New, testkit.Secret("a"))
	mac.Write([]byte("vitae photo address v1\x00" + said))
	return base64.RawURLEncoding.EncodeToString(append(mac.Sum(nil), said...))
}

func TestMalformedContentIsRefused(t *testing.T) {
	s := signer(t, "a")
	for said, want := range map[string]bool{
		"c7." + connection:               true,
		"c7.":                            false,
		"c7":                             false,
		"c." + connection:                false,
		"c?." + connection:               false,
		"x7." + connection:               false,
		"a7." + person:                   false, // expired in 1970
		"c7." + strings.Repeat("x", 349): true,
		"c7." + strings.Repeat("x", 350): false,
	} {
		token := signed(said)
		if got, ok := s.Verify(token, now); ok != want || !ok && got != (photolink.Photo{}) {
			t.Errorf("%q in %d characters gives %+v, %t", said, len(token), got, ok)
		}
	}
	if _, ok := s.Verify(signed(""), now); ok {
		t.Error("a signature of nothing is taken")
	}
}

func TestInvalidBaseURLIsRefused(t *testing.T) {
	if _, err := photolink.New(testkit.Ring("cv_link", "a"), "https://api.example:port"); err == nil {
		t.Error("accepted it")
	}
}

func TestEmptyRingIsRefused(t *testing.T) {
	if _, err := photolink.New(keyring.Ring{}, base); err == nil {
		t.Error("accepted a ring without keys")
	}
}

func TestAddressIsValidWhileKeyIsInRing(t *testing.T) {
	earlier := token(t, signer(t, "a").OfConsent(connection, 7))
	for _, s := range []*photolink.Signer{signer(t, "a", "b"), signer(t, "b", "a")} {
		if _, ok := s.Verify(earlier, now); !ok {
			t.Error("it is refused although its key is in the ring")
		}
	}
	if _, ok := signer(t, "b").Verify(earlier, now); ok {
		t.Error("it is accepted although its key was taken away")
	}
}

func FuzzVerify(f *testing.F) {
	s := signer(f, "a")
	f.Add(token(f, s.OfConsent(connection, 1)))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := s.Verify(text, now); ok && s.OfConsent(got.ConnectionID, got.Version) != base+photolink.PathPrefix+text {
			t.Errorf("%s is accepted as %+v", text, got)
		}
	})
}
