// Package credential creates and validates the secrets that Vitae issues. A secret consists of a
// prefix that identifies its kind (behaviour: tokens#credential-prefixes), 32 random bytes in
// base62, and a checksum. The checksum allows typos and invented values to be rejected without a
// lookup.
//
// The package does not store credentials, and does not know what they give access to.
package credential

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// Prefix identifies the kind of a credential.
type Prefix string

// Prefixes of the kinds of credentials.
const (
	ClientID          Prefix = "svc_ci_"
	ClientSecret      Prefix = "svc_cs_"
	APIKey            Prefix = "svc_sk_"
	AuthorizationCode Prefix = "svc_ac_"
	AccessToken       Prefix = "svc_at_"
	RefreshToken      Prefix = "svc_rt_"
)

const (
	alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	// bodyLen base62 digits represent 256 bits: 62^43 > 2^256 > 62^42.
	bodyLen = 43
	// sumLen base62 digits represent a CRC-32: 62^6 > 2^32.
	sumLen = 6
	// Len is the length of every credential, in bytes.
	Len = 7 + bodyLen + sumLen
)

// New returns a credential with 256 random bits.
func New(p Prefix) string {
	var raw [32]byte
	rand.Read(raw[:]) // never fails since Go 1.24
	return Of(p, raw)
}

// Of returns the credential with the given prefix and 256 bits, which must be unpredictable.
func Of(p Prefix, raw [32]byte) string {
	head := string(p) + base62(new(big.Int).SetBytes(raw[:]), bodyLen)
	return head + checksum(head)
}

// WellFormed reports whether s has the format and checksum of a credential with prefix p. It does
// not check that the credential exists.
func WellFormed(p Prefix, s string) bool {
	if len(s) != Len || !strings.HasPrefix(s, string(p)) {
		return false
	}
	for _, c := range []byte(s[len(p):]) {
		if strings.IndexByte(alphabet, c) < 0 {
			return false
		}
	}
	return checksum(s[:Len-sumLen]) == s[Len-sumLen:]
}

// Digest is the SHA-256 hash by which a credential is stored and looked up. For a durable link, it
// is the digest of the link's id.
type Digest = [sha256.Size]byte

// Hash returns the digest of a credential. A fast hash is sufficient for 256 random bits; only
// passwords need a slow one.
func Hash(s string) Digest { return sha256.Sum256([]byte(s)) }

// ClientDigest returns a digest that identifies a confidential client and the secret that it sent,
// given the Hash of the secret. The digest reveals neither of them, and differs from the stored
// hash, so that neither hash can be derived from the other.
func ClientDigest(clientID string, secret Digest) Digest {
	return sha256.Sum256(append([]byte("client "+clientID+" "), secret[:]...)) // unambiguous: secret has a fixed length
}

func checksum(s string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(s)))), sumLen)
}

func base62(n *big.Int, width int) string {
	out := make([]byte, width)
	base, digit := big.NewInt(62), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = alphabet[digit.Int64()]
	}
	return string(out)
}
