// Package photolink makes and checks the tokens in the addresses of photos
// (behaviour: photos#the-address-of-a-photo). A token says whose photo it opens and on
// whose behalf, with a message authentication code, so that a made-up token is refused
// without a look-up.
//
// It must never decide whether a consent still shares a photo: only auth knows. It shares
// the keys with package cvlink, and nothing that is signed there is worth anything here.
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

// ApplicantLife is how long the address of an applicant's photo works, as long as that of
// an uploaded resume (behaviour: applications#resume-download).
const ApplicantLife = 5 * time.Minute

// purpose is part of every authentication code, so that no other code that is made with
// a key of the ring passes for one.
const purpose = "vitae photo address v1"

// The kinds of address, the first byte of what is signed.
const (
	ofConsent   = 'c'
	ofApplicant = 'a'
)

// maxToken bounds the work for a made-up token. It is well above the length of a real
// token.
const maxToken = 512

// encoding takes several spellings of the same bytes, also if it is strict: it skips line
// breaks. Verify takes the one that it writes itself.
var encoding = base64.RawURLEncoding

// Photo is what a token says.
type Photo struct {
	// ConnectionID and Version name the consent that shows the photo. They are empty for an
	// applicant's photo.
	ConnectionID string
	Version      int32
	// PersonID is the applicant. It is empty for a consent, whose person auth knows.
	PersonID string
}

// Signer signs addresses of photos.
type Signer struct {
	mac     *keyring.MAC
	baseURL string
}

// New makes a signer of addresses under the base URL of the REST API.
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

// OfConsent returns the address of the photo that a consent shows. It stays the same as
// long as the version does.
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

// Verify returns what a token says, if one of the keys has signed it and it has not expired.
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
