// Package cvlink signs and verifies the tokens of durable CV links. A token is the id
// of the link with a message authentication code. So forged tokens are refused without a
// lookup, and an id always has the same URL
// (behaviour: durable-links#one-address-per-consent, durable-links#token-verification).
//
// It must never decide whether a link is live: only auth knows. Only the gateway has the
// signing keys. A token does not name its key, because older tokens do not.
package cvlink

import (
	"encoding/base64"
	"errors"
	"net/url"

	"vitae.internal/pkg/keyring"
)

// PathPrefix is the path of a link before the token.
const PathPrefix = "/v1/cv-links/"

// purpose is part of every authentication code, so that a code is valid only here even if
// a key is also used elsewhere.
const purpose = "vitae durable CV link v1"

// maxToken limits the work for a forged token. Real tokens are much shorter.
const maxToken = 256

// encoding accepts several encodings of the same bytes, even in strict mode, which skips
// line breaks. Verify accepts only the one that Token returns.
var encoding = base64.RawURLEncoding

// Signer signs link ids.
type Signer struct {
	mac     *keyring.MAC
	baseURL string
}

// New returns a Signer. baseURL is that of the REST API.
func New(keys keyring.Ring, baseURL string) (*Signer, error) {
	mac, err := keys.MAC(purpose)
	if err != nil {
		return nil, err
	}
	if _, err := url.Parse(baseURL); err != nil {
		return nil, errors.New("cvlink: the base URL cannot be read")
	}
	return &Signer{mac: mac, baseURL: baseURL}, nil
}

// URL returns the durable link of a link id.
func (s *Signer) URL(linkID string) string { return s.baseURL + PathPrefix + s.Token(linkID) }

// Token returns the signed form of a link id.
func (s *Signer) Token(linkID string) string {
	signature := s.mac.Sign([]byte(linkID))
	return encoding.EncodeToString(append(signature[:], linkID...))
}

// Verify returns the link id of a token, and whether one of the keys has signed it.
func (s *Signer) Verify(token string) (linkID string, ok bool) {
	if len(token) > maxToken {
		return "", false
	}
	raw, err := encoding.DecodeString(token)
	if err != nil || len(raw) <= keyring.Size || encoding.EncodeToString(raw) != token ||
		!s.mac.Verify(raw[keyring.Size:], raw[:keyring.Size]) {
		return "", false
	}
	return string(raw[keyring.Size:]), true
}
