// Package cvlink makes and checks the tokens of durable CV links. A token is the id
// of the link with a message authentication code, so that a made-up token is refused
// without a look-up, and one id always has the same URL
// (behaviour: durable-links#one-address-per-consent, durable-links#the-token-is-checked-first).
//
// It must never decide whether a link is live: only auth knows. Only the gateway has
// the signing keys. A token does not say which of them made it: partners hold tokens from
// before there were several.
package cvlink

import (
	"encoding/base64"
	"errors"
	"net/url"

	"vitae.internal/pkg/keyring"
)

// PathPrefix is the path of a link before the token.
const PathPrefix = "/v1/cv-links/"

// purpose is part of every authentication code, so that a code made here is
// worthless elsewhere even if a key is used twice.
const purpose = "vitae durable CV link v1"

// maxToken bounds the work for a made-up token. It is well above the length of a
// real token.
const maxToken = 256

// encoding takes several spellings of the same bytes, also if it is strict: it skips line
// breaks. Verify takes the one that it writes itself.
var encoding = base64.RawURLEncoding

// Signer signs link ids.
type Signer struct {
	mac     *keyring.MAC
	baseURL string
}

// New makes a signer of links under the base URL of the REST API.
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

// Verify returns the link id of a token that one of the keys has signed.
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
