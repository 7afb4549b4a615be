package credential_test

import (
	"hash/crc32"
	"strings"
	"testing"

	"vitae.internal/pkg/credential"
)

var prefixes = []credential.Prefix{
	credential.ClientID, credential.ClientSecret, credential.APIKey,
	credential.AuthorizationCode, credential.AccessToken, credential.RefreshToken,
}

func TestNewMatchesOnlyItsPrefix(t *testing.T) {
	for _, p := range prefixes {
		s := credential.New(p)
		if len(s) != credential.Len {
			t.Errorf("len(%s) = %d, want %d", s, len(s), credential.Len)
		}
		for _, q := range prefixes {
			if got := credential.WellFormed(q, s); got != (p == q) {
				t.Errorf("WellFormed(%s, %s) = %v", q, s, got)
			}
		}
	}
}

func TestChecksumDetectsAnyChange(t *testing.T) {
	s := credential.New(credential.AccessToken)
	for i := range s {
		for _, c := range "0Zz_é" {
			changed := s[:i] + string(c) + s[i+1:]
			if changed != s && credential.WellFormed(credential.AccessToken, changed) {
				t.Errorf("accepted %q, changed at %d", changed, i)
			}
		}
	}
}

// The checksum algorithm is public, so anyone can compute a checksum over other characters.
func TestNonBase62CharactersAreRejected(t *testing.T) {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	withSum := func(head string) string {
		sum := make([]byte, 6)
		n := crc32.ChecksumIEEE([]byte(head))
		for i := len(sum) - 1; i >= 0; i-- {
			sum[i] = alphabet[n%62]
			n /= 62
		}
		return head + string(sum)
	}
	body := strings.Repeat("a", 42)
	if s := withSum("svc_at_" + body + "a"); !credential.WellFormed(credential.AccessToken, s) {
		t.Fatalf("%s is rejected: the test computes a wrong checksum", s)
	}
	for _, c := range []string{"-", "_", "+", "/", " ", "\n", "\x00", "\xff"} {
		if s := withSum("svc_at_" + c + body); credential.WellFormed(credential.AccessToken, s) {
			t.Errorf("accepted %q", s)
		}
	}
}

func TestCredentialsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		s := credential.New(credential.RefreshToken)
		if seen[s] {
			t.Fatalf("%s was created twice", s)
		}
		seen[s] = true
	}
}

func FuzzWellFormed(f *testing.F) {
	f.Add(credential.New(credential.AccessToken))
	f.Add("svc_at_")
	f.Add(strings.Repeat("0", credential.Len))
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range prefixes {
			if credential.WellFormed(p, s) && (len(s) != credential.Len || !strings.HasPrefix(s, string(p))) {
				t.Errorf("accepted %q as %s", s, p)
			}
		}
	})
}
