// Package signedurl signs and verifies the URLs of durable CV links and photos
// (behaviour: durable-links#token-verification, photos#the-address-of-a-photo). A token is a string with a
// message authentication code. Forged tokens are rejected without a look-up, and the same string always results
// in the same URL.
//
// The package must never decide whether a link is live or a photo is shared, because only the auth service
// knows. Only the gateway has the keys. A token does not identify its key, because older tokens do not.
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

// These are the paths of durable links and photos, without the token.
const (
	CVLinkPath = "/v1/cv-links/"
	PhotoPath  = "/v1/photos/"
)

// ApplicantLife is how long the URL of an applicant's photo is valid. The URL of an uploaded resume is valid
// for the same time (behaviour: applications#resume-download).
const ApplicantLife = 5 * time.Minute

// The purposes are part of the authentication codes, so a token of one kind is not valid as the other kind,
// although both are signed with the same keys.
const (
	linkPurpose  = "vitae durable CV link v1"
	photoPurpose = "vitae photo address v1"
)

// These are the kinds of photo URLs. The kind is the first byte of the signed string.
const (
	ofConsent   = 'c'
	ofApplicant = 'a'
)

// maxToken is the maximum length of a token. It limits the work for forged tokens. Real tokens are much
// shorter.
const maxToken = 512

// encoding accepts several encodings of the same bytes. Even its strict mode skips line breaks. Signer
// therefore accepts only the encoding that it produces itself.
var encoding = base64.RawURLEncoding

// Photo is the content of a photo token.
type Photo struct {
	// ConnectionID and Version identify the consent that shares the photo. They are empty for an applicant's
	// photo.
	ConnectionID string
	Version      int32
	// PersonID is the applicant, or "" for a photo shared by a consent.
	PersonID string
}

// Signer signs and verifies URLs.
type Signer struct {
	links, photos *keyring.MAC
	baseURL       string
}

// New returns a Signer. baseURL is the base URL of the REST API.
func New(keys keyring.Ring, baseURL string) (*Signer, error) {
	links, linksErr := keys.MAC(linkPurpose)
	photos, photosErr := keys.MAC(photoPurpose)
	if err := errors.Join(linksErr, photosErr); err != nil {
		return nil, err
	}
	if _, err := url.Parse(baseURL); err != nil {
		return nil, errors.New("signedurl: the base URL is invalid")
	}
	return &Signer{links: links, photos: photos, baseURL: baseURL}, nil
}

// CVLink returns the durable link for a link id (behaviour: durable-links#one-address-per-consent).
func (s *Signer) CVLink(linkID string) string {
	return s.baseURL + CVLinkPath + sign(s.links, linkID)
}

// VerifyCVLink returns the link id of a token. It returns false if none of the keys has signed the token.
func (s *Signer) VerifyCVLink(token string) (linkID string, ok bool) { return verify(s.links, token) }

// ConsentPhoto returns the URL of the photo that a consent shares. The same version always has the same URL.
func (s *Signer) ConsentPhoto(connectionID string, version int32) string {
	return s.photo(ofConsent, int64(version), connectionID)
}

// ApplicantPhoto returns a URL of a person's photo that is valid for ApplicantLife.
func (s *Signer) ApplicantPhoto(personID string, now time.Time) string {
	return s.photo(ofApplicant, now.Add(ApplicantLife).Unix(), personID)
}

func (s *Signer) photo(kind byte, number int64, id string) string {
	return s.baseURL + PhotoPath + sign(s.photos, string(kind)+strconv.FormatInt(number, 36)+"."+id)
}

// VerifyPhoto returns the content of a token. It returns false if none of the keys has signed the token or the
// token has expired.
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

// verify returns the text of a valid token. The text is never empty.
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
