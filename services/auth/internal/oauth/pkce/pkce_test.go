package pkce_test

import (
	"strings"
	"testing"

	"vitae.internal/services/auth/internal/oauth/pkce"
)

// This is the example in RFC 7636, appendix B.
func TestChallengeMatchesTheRFCExample(t *testing.T) {
	const verifier, challenge = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	if got := pkce.Challenge(verifier); got != challenge {
		t.Fatalf("challenge %q", got)
	}
	if !pkce.ValidVerifier(verifier) || !pkce.ValidChallenge(challenge) {
		t.Fatal("the verifier or challenge of the RFC's example is rejected")
	}
}

func TestAllValidVerifiersAreAccepted(t *testing.T) {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	for _, v := range []string{strings.Repeat("a", 43), strings.Repeat("Z", 128), unreserved} {
		if !pkce.ValidVerifier(v) {
			t.Errorf("verifier %q of %d characters is rejected", v, len(v))
		}
	}
}

func TestMalformedValuesAreRejected(t *testing.T) {
	for _, v := range []string{"", strings.Repeat("a", 42), strings.Repeat("a", 129), strings.Repeat("a", 42) + "+", strings.Repeat("a", 42) + "é", strings.Repeat("a", 43) + "\n"} {
		if pkce.ValidVerifier(v) {
			t.Errorf("verifier %q is accepted", v)
		}
	}
	for _, c := range []string{"", strings.Repeat("A", 42), strings.Repeat("A", 44), strings.Repeat("A", 42) + "=", strings.Repeat("A", 42) + "+", strings.Repeat("A", 42) + "B", strings.Repeat("A", 42) + "\n", strings.Repeat("A", 43) + "\n"} {
		if pkce.ValidChallenge(c) {
			t.Errorf("challenge %q is accepted", c)
		}
	}
}
