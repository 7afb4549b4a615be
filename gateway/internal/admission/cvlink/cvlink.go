// Package cvlink makes and checks the tokens of durable CV links. A token is the id
// of the link with a message authentication code, so that a made-up token is refused
// without a look-up, and one id always has the same URL
// (behaviour: durable-links#one-address-per-consent, durable-links#the-token-is-checked-first).
//
// It must never decide whether a link is live: only auth knows. Only the gateway has
// the signing key.
package cvlink

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
)

// MinKey is the shortest key that is allowed, in bytes (RFC 2104 §3).
const MinKey = sha256.Size

// PathPrefix is the path of a link before the token.
const PathPrefix = "/v1/cv-links/"

// purpose is part of every authentication code, so that a code made here is
// worthless elsewhere even if the key is used twice.
const purpose = "vitae durable CV link v1\x00"

// maxToken bounds the work for a made-up token. It is well above the length of a
// real token.
const maxToken = 256

// encoding takes several spellings of the same bytes, also if it is strict: it skips line
// breaks. Verify takes the one that it writes itself.
var encoding = base64.RawURLEncoding

// Signer signs link ids.
type Signer struct {
	key     []byte
	baseURL string
}

// New makes a signer of links under the base URL of the REST API.
func New(key []byte, baseURL string) (*Signer, error) {
	if len(key) < MinKey {
		return nil, errors.New("cvlink: the key is shorter than 32 bytes")
	}
	if _, err := url.Parse(baseURL); err != nil {
		return nil, errors.New("cvlink: the base URL cannot be read")
	}
	return &Signer{key: key, baseURL: baseURL}, nil
}

// URL returns the durable link of a link id.
func (s *Signer) URL(linkID string) string { return s.baseURL + PathPrefix + s.Token(linkID) }

// Token returns the signed form of a link id.
func (s *Signer) Token(linkID string) string {
	return encoding.EncodeToString(append(s.mac(linkID), linkID...))
}

// Verify returns the link id of a token that was signed with this key.
func (s *Signer) Verify(token string) (linkID string, ok bool) {
	if len(token) > maxToken {
		return "", false
	}
	raw, err := encoding.DecodeString(token)
	if err != nil || len(raw) <= sha256.Size || encoding.EncodeToString(raw) != token {
		return "", false
	}
	linkID = string(raw[sha256.Size:])
	if !hmac.Equal(raw[:sha256.Size], s.mac(linkID)) {
		return "", false
	}
	return linkID, true
}

func (s *Signer) mac(linkID string) []byte {
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte(purpose))
	m.Write([]byte(linkID))
	return m.Sum(nil)
}
