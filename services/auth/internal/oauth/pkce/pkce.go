// Package pkce checks Proof Key for Code Exchange (RFC 7636) with the S256 method. No other method
// is allowed (behaviour: sign-in#pkce-for-every-client).
package pkce

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Method is the only permitted code_challenge_method.
const Method = "S256"

// challengeLen is the length of a SHA-256 hash in unpadded BASE64URL.
const challengeLen = 43

// ValidChallenge reports whether s has the form of an S256 challenge.
func ValidChallenge(s string) bool {
	sum, err := base64.RawURLEncoding.Strict().DecodeString(s)
	// The decoder skips line breaks, so it is not enough to check only one of the two lengths.
	return err == nil && len(s) == challengeLen && len(sum) == sha256.Size
}

// ValidVerifier reports whether s has the form of a code verifier: 43 to 128
// unreserved characters (RFC 7636 §4.1).
func ValidVerifier(s string) bool {
	return len(s) >= 43 && len(s) <= 128 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._~", r)
	})
}

// Challenge returns the challenge of a verifier (RFC 7636 §4.2).
func Challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
