// Package credential makes and checks the secrets that Vitae gives out. A secret has a
// prefix that names its kind (behaviour: tokens#credential-prefixes), 32 random bytes in base62, and a
// checksum, by which a typo or a made-up value is refused without a look-up.
//
// It never stores a credential, and does not know what a credential gives access to.
package credential

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// Prefix says what kind of credential a string is.
type Prefix string

// The prefixes of the kinds.
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
	// bodyLen digits of base62 hold 256 bits: 62^43 > 2^256 > 62^42.
	bodyLen = 43
	// sumLen digits hold a CRC-32: 62^6 > 2^32.
	sumLen = 6
	// Len is the length of every credential.
	Len = 7 + bodyLen + sumLen
)

// New makes a credential from 256 random bits.
func New(p Prefix) string {
	var raw [32]byte
	rand.Read(raw[:]) // never fails since Go 1.24
	return Of(p, raw)
}

// Of makes the credential that holds the given 256 bits, which must be as hard to guess as
// random ones.
func Of(p Prefix, raw [32]byte) string {
	head := string(p) + base62(new(big.Int).SetBytes(raw[:]), bodyLen)
	return head + checksum(head)
}

// WellFormed reports whether s has the form and the checksum of a credential of the kind.
// Such a credential may still not exist.
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

// Digest is the SHA-256 of a credential, by which it is stored and looked up. That of a
// durable link is of the link's id.
type Digest = [sha256.Size]byte

// Hash gives the digest that is stored in place of a credential. A plain SHA-256 is enough
// for 256 random bits; only passwords need a slow hash.
func Hash(s string) Digest { return sha256.Sum256([]byte(s)) }

// ClientDigest names a confidential client together with the secret that it sends, of which
// it takes the Hash. Whoever reads it learns neither, and it is not the hash that is stored,
// so one cannot be looked up by the other.
func ClientDigest(clientID string, secret Digest) Digest {
	return sha256.Sum256(append([]byte("client "+clientID+" "), secret[:]...)) // the end has one length
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
