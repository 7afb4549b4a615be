package cvlink_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/testkit"
)

const linkID = "lnk_0123456789abcdefghijklmnop"

// signer returns a Signer with the keys of these ids.
func signer(t testing.TB, ids ...string) *cvlink.Signer {
	t.Helper()
	s, err := cvlink.New(testkit.Ring("cv_link", ids...), "https://api.example")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTokenRoundTrip(t *testing.T) {
	s := signer(t, "a")
	token := s.Token(linkID)
	if got, ok := s.Verify(token); !ok || got != linkID {
		t.Errorf("Verify = %q, %v", got, ok)
	}
	if again := signer(t, "a").Token(linkID); again != token {
		t.Error("the same key signs the same link otherwise")
	}
	if want := "https://api.example/v1/cv-links/" + token; s.URL(linkID) != want {
		t.Errorf("URL = %s, want %s", s.URL(linkID), want)
	}
}

func TestChangedTokenIsRefused(t *testing.T) {
	s := signer(t, "a")
	token := s.Token(linkID)
	for i := range token {
		for _, c := range "A_z9-=." {
			changed := token[:i] + string(c) + token[i+1:]
			if _, ok := s.Verify(changed); ok && changed != token {
				t.Fatalf("accepted %s, changed at %d", changed, i)
			}
		}
	}
	for _, other := range []string{
		"", "a", token + "A", token + "=", token[1:], token[:len(token)-1], linkID,
		strings.Repeat("A", 43), strings.Repeat("A", 1<<20), signer(t, "b").Token(linkID),
	} {
		if got, ok := s.Verify(other); ok {
			t.Errorf("accepted a foreign token as %q", got)
		}
	}
}

// Base64 leaves bits of its last character unused, and Go's decoder skips line breaks.
func TestTokenHasOneEncoding(t *testing.T) {
	s := signer(t, "a")
	for _, id := range []string{linkID, linkID + "q", linkID + "qr"} {
		token := s.Token(id)
		last := len(token) - 1
		for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
			other := token[:last] + string(c)
			if got, ok := s.Verify(other); ok && other != token {
				t.Errorf("%s is taken for %s, of %q", other, token, got)
			}
		}
		for _, other := range []string{token + "\n", "\r\n" + token, token[:9] + "\n" + token[9:]} {
			if _, ok := s.Verify(other); ok {
				t.Errorf("%q is taken for %s", other, token)
			}
		}
	}
}

func TestTokenLengthIsLimited(t *testing.T) {
	s := signer(t, "a")
	for length, want := range map[int]bool{0: false, 1: true, 160: true, 161: false, 1000: false} {
		token := s.Token(strings.Repeat("x", length))
		if _, ok := s.Verify(token); ok != want {
			t.Errorf("a signed token of %d characters is taken: %t", len(token), ok)
		}
	}
}

func TestInvalidBaseURLIsRefused(t *testing.T) {
	if _, err := cvlink.New(testkit.Ring("cv_link", "a"), "https://api.example:port"); err == nil {
		t.Error("accepted it")
	}
}

func TestEmptyRingIsRefused(t *testing.T) {
	if _, err := cvlink.New(keyring.Ring{}, "https://api.example"); err == nil {
		t.Error("accepted a ring without keys")
	}
}

// Partners have stored links from before keys had ids.
func TestOldLinkOpensWhileKeyIsInRing(t *testing.T) {
	h := hmac.New(sha256.New, testkit.Secret("a"))
	h.Write([]byte("vitae durable CV link v1\x00" + linkID))
	earlier := base64.RawURLEncoding.EncodeToString(append(h.Sum(nil), linkID...))
	for _, c := range []struct {
		ids   []string
		signs string
		opens bool
	}{
		{[]string{"a"}, "a", true},
		{[]string{"a", "b"}, "a", true},
		{[]string{"b", "a"}, "b", true},
		{[]string{"c", "b", "a"}, "c", true},
		{[]string{"b"}, "b", false},
	} {
		s := signer(t, c.ids...)
		if got, ok := s.Verify(earlier); ok != c.opens || ok && got != linkID {
			t.Errorf("with %v it opens %q, %t", c.ids, got, ok)
		}
		if s.Token(linkID) != signer(t, c.signs).Token(linkID) {
			t.Errorf("with %v another key signs than %s", c.ids, c.signs)
		}
	}
}

func FuzzVerifyAcceptsOnlyWhatWasSigned(f *testing.F) {
	s := signer(f, "a")
	f.Add(s.Token(linkID))
	f.Add(s.Token(""))
	f.Add("lnk_x")
	f.Fuzz(func(t *testing.T, token string) {
		if got, ok := s.Verify(token); ok && s.Token(got) != token {
			t.Errorf("accepted %q, which is another spelling of the token of %q", token, got)
		}
	})
}
