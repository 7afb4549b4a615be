// Package photolink signs and verifies the tokens in photo addresses
// (behaviour: photos#the-address-of-a-photo). A token names the photo and the consent, with a
// message authentication code, so that forged tokens are refused without a lookup.
//
// It must never decide whether a consent still shares a photo: only auth knows. It shares
// its keys with package cvlink, but tokens of one are not valid in the other.
package photolink

import (
	"encoding/base64"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"vitae.internal/pkg/keyring"
)

// PathPrefix is the path of a photo before the token.
const PathPrefix = "/v1/photos/"

// ApplicantLife is how long the address of an applicant's photo works: as long as that of
// an uploaded resume (behaviour: applications#resume-download).
const ApplicantLife = 5 * time.Minute

// purpose is part of every authentication code, so that a code is valid only here even if
// a key is also used elsewhere.
const purpose = "vitae photo address v1"

// The kinds of address: the first byte of the signed text.
const (
	ofConsent   = 'c'
	ofApplicant = 'a'
)

// maxToken limits the work for a forged token. Real tokens are much shorter.
const maxToken = 512

// encoding accepts several encodings of the same bytes, even in strict mode, which skips
// line breaks. Verify accepts only the one that a Signer writes.
var encoding = base64.RawURLEncoding

// Photo is the content of a token.
type Photo struct {
	// ConnectionID and Version name the consent that shares the photo. They are empty for an
	// applicant's photo.
	ConnectionID string
	Version      int32
	// PersonID is the applicant. It is empty for a consent.
	PersonID string
}

// Signer signs addresses of photos.
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
		return nil, errors.New("photolink: the base URL cannot be read")
	}
	return &Signer{mac: mac, baseURL: baseURL}, nil
}

// OfConsent returns the address of the photo that a consent shares. The same version has
// the same address.
func (s *Signer) OfConsent(connectionID string, version int32) string {
	return s.address(ofConsent, int64(version), connectionID)
}

// OfApplicant returns an address of a person's photo that works for ApplicantLife.
func (s *Signer) OfApplicant(personID string, now time.Time) string {
	return s.address(ofApplicant, now.Add(ApplicantLife).Unix(), personID)
}

func (s *Signer) address(kind byte, number int64, id string) string {
	said := string(kind) + strconv.FormatInt(number, 36) + "." + id
	signature := s.mac.Sign([]byte(said))
	return s.baseURL + PathPrefix + encoding.EncodeToString(append(signature[:], said...))
}

// Verify returns the content of a token, and whether one of the keys has signed it and it has
// not expired.
func (s *Signer) Verify(token string, now time.Time) (Photo, bool) {
	if len(token) > maxToken {
		return Photo{}, false
	}
	raw, err := encoding.DecodeString(token)
	if err != nil || len(raw) <= keyring.Size || encoding.EncodeToString(raw) != token ||
		!s.mac.Verify(raw[keyring.Size:], raw[:keyring.Size]) {
		return Photo{}, false
	}
	said := string(raw[keyring.Size:])
	number, id, _ := strings.Cut(said[1:], ".")
	n, err := strconv.ParseInt(number, 36, 64)
	switch {
	case err != nil || id == "":
		return Photo{}, false
	case said[0] == ofConsent:
		return Photo{ConnectionID: id, Version: int32(n)}, true
	case said[0] == ofApplicant && now.Unix() < n:
		return Photo{PersonID: id}, true
	}
	return Photo{}, false
}
