// Package cvlink makes and checks the token of a durable CV link (spec: Durable
// CV link). The token is the link's id with a message authentication code, so
// that a made-up token costs no look-up, and the same id always gives the same
// URL (decision 22).
//
// It says nothing about whether the link lives: auth does. The key is known to
// the edge alone.
package cvlink

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
)

// MinKey is the least length of the signing key in bytes (RFC 2104 §3).
const MinKey = sha256.Size

// PathPrefix is where links are served, before the token.
const PathPrefix = "/v1/cv-links/"

// purpose keeps a code made here from meaning anything elsewhere, should the key
// ever be shared.
const purpose = "vitae durable CV link v1\x00"

// maxToken is well above any token that Signer makes.
const maxToken = 256

// strict refuses a second spelling of the same token.
var encoding = base64.RawURLEncoding.Strict()

// Signer signs link ids.
type Signer struct {
	key     []byte
	baseURL string
}

// New makes a signer of links under the base URL of the edge.
func New(key []byte, baseURL string) (*Signer, error) {
	if len(key) < MinKey {
		return nil, errors.New("cvlink: the key is shorter than 32 bytes")
	}
	if _, err := url.Parse(baseURL); err != nil {
		return nil, errors.New("cvlink: the base URL cannot be read")
	}
	return &Signer{key: key, baseURL: baseURL}, nil
}

// URL is the durable link of a link id.
func (s *Signer) URL(linkID string) string { return s.baseURL + PathPrefix + s.Token(linkID) }

// Token is the signed form of a link id.
func (s *Signer) Token(linkID string) string {
	return encoding.EncodeToString(append(s.mac(linkID), linkID...))
}

// Verify gives the link id of a token that this key has signed.
func (s *Signer) Verify(token string) (linkID string, ok bool) {
	if len(token) > maxToken {
		return "", false
	}
	raw, err := encoding.DecodeString(token)
	if err != nil || len(raw) <= sha256.Size {
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
