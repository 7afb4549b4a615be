// Package signedurl signs and verifies the addresses of durable CV links and photos
// (behaviour: durable-links#token-verification, photos#the-address-of-a-photo). A token is a
// text with a message authentication code, so that forged tokens are refused without a
// lookup, and the same text always has the same address.
//
// It must never decide whether a link is live or a photo is shared: only auth knows. Only the
// gateway has the keys. A token does not name its key, because older tokens do not.
package signedurl

import (
	"encoding/base64"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"vitae.internal/pkg/keyring"
)

// The paths of durable links and photos, without the token.
const (
	CVLinkPath = "/v1/cv-links/"
	PhotoPath  = "/v1/photos/"
)

// ApplicantLife is how long the address of an applicant's photo works: as long as that of
// an uploaded resume (behaviour: applications#resume-download).
const ApplicantLife = 5 * time.Minute

// The purposes are part of the authentication codes, so that a token of one kind is not valid
// as another, although both kinds use the same keys.
const (
	linkPurpose  = "vitae durable CV link v1"
	photoPurpose = "vitae photo address v1"
)

// The kinds of photo address: the first byte of the signed text.
const (
	ofConsent   = 'c'
	ofApplicant = 'a'
)

// maxToken limits the work for a forged token. Real tokens are much shorter.
const maxToken = 512

// encoding accepts several encodings of the same bytes, even in strict mode, which skips
// line breaks. Signer accepts only the one that it writes.
var encoding = base64.RawURLEncoding

// Photo is the content of a photo's token.
type Photo struct {
	// ConnectionID and Version name the consent that shares the photo. They are empty for an
	// applicant's photo.
	ConnectionID string
	Version      int32
	// PersonID is the applicant. It is empty for a consent.
	PersonID string
}

// Signer signs addresses.
type Signer struct {
	links, photos *keyring.MAC
	baseURL       string
}

// New returns a Signer. baseURL is that of the REST API.
func New(keys keyring.Ring, baseURL string) (*Signer, error) {
	links, linksErr := keys.MAC(linkPurpose)
	photos, photosErr := keys.MAC(photoPurpose)
	if err := errors.Join(linksErr, photosErr); err != nil {
		return nil, err
	}
	if _, err := url.Parse(baseURL); err != nil {
		return nil, errors.New("signedurl: the base URL is not a URL")
	}
	return &Signer{links: links, photos: photos, baseURL: baseURL}, nil
}

// CVLink returns the durable link of a link id (behaviour: durable-links#one-address-per-consent).
func (s *Signer) CVLink(linkID string) string {
	return s.baseURL + CVLinkPath + sign(s.links, linkID)
}

// VerifyCVLink returns the link id of a token, and whether one of the keys has signed it.
func (s *Signer) VerifyCVLink(token string) (linkID string, ok bool) { return verify(s.links, token) }

// ConsentPhoto returns the address of the photo that a consent shares. The same version has
// the same address.
func (s *Signer) ConsentPhoto(connectionID string, version int32) string {
	return s.photo(ofConsent, int64(version), connectionID)
}

// ApplicantPhoto returns an address of a person's photo that works for ApplicantLife.
func (s *Signer) ApplicantPhoto(personID string, now time.Time) string {
	return s.photo(ofApplicant, now.Add(ApplicantLife).Unix(), personID)
}

func (s *Signer) photo(kind byte, number int64, id string) string {
	return s.baseURL + PhotoPath + sign(s.photos, string(kind)+strconv.FormatInt(number, 36)+"."+id)
}

// VerifyPhoto returns the content of a token, and whether one of the keys has signed it and it
// has not expired.
func (s *Signer) VerifyPhoto(token string, now time.Time) (Photo, bool) {
	text, ok := verify(s.photos, token)
	if !ok {
		return Photo{}, false
	}
	number, id, _ := strings.Cut(text[1:], ".")
	n, err := strconv.ParseInt(number, 36, 64)
	switch {
	case err != nil || id == "":
		return Photo{}, false
	case text[0] == ofConsent:
		return Photo{ConnectionID: id, Version: int32(n)}, true
	case text[0] == ofApplicant && now.Unix() < n:
		return Photo{PersonID: id}, true
	}
	return Photo{}, false
}

func sign(mac *keyring.MAC, text string) string {
	signature := mac.Sign([]byte(text))
	return encoding.EncodeToString(append(signature[:], text...))
}

// verify returns the text of a token, which is not empty.
func verify(mac *keyring.MAC, token string) (text string, ok bool) {
	if len(token) > maxToken {
		return "", false
	}
	raw, err := encoding.DecodeString(token)
	if err != nil || len(raw) <= keyring.Size || encoding.EncodeToString(raw) != token || !mac.Verify(raw[keyring.Size:], raw[:keyring.Size]) {
		return "", false
	}
	return string(raw[keyring.Size:]), true
}
