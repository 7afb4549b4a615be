// Package maillink makes and opens the links that are sent to people.
//
// The token of a link is an id of 130 random bits and a signature over it. The database
// holds the SHA-256 of the id, and the outbox the id until the mail is sent: neither makes a
// link without the keys. It must never make a link to any other address than the one that
// auth is configured with: the Host of a request is not trusted (CWE-640).
package maillink

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/keyring"
)

// ErrDead is for a link that was used, has expired or was never given.
var ErrDead = errs.New(errs.NotFound, "LINK_DEAD", "The link does not work any more.")

// Links makes and opens links.
type Links struct {
	app string
	mac *keyring.MAC
}

// New makes Links. app is the address of the pages, http or https, without a trailing slash.
func New(app string, keys keyring.Ring) (*Links, error) {
	u, err := url.Parse(app)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.HasSuffix(app, "/") {
		return nil, fmt.Errorf("VITAE_APP_URL must be an http or https URL without a trailing slash")
	}
	mac, err := keys.MAC("vitae mail link")
	return &Links{app: app, mac: mac}, err
}

// NewID makes the id of a link.
func NewID() string { return rand.Text() }

// Hash is what is stored of an id.
func Hash(id string) credential.Digest { return credential.Hash(id) }

// Plain implements mail.Links.
func (l *Links) Plain(path string) string { return l.app + path }

// URL implements mail.Links.
func (l *Links) URL(path, id string) string {
	return l.app + path + "?" + url.Values{"token": {l.Token(id)}}.Encode()
}

// Token is what proves that a link was sent.
func (l *Links) Token(id string) string {
	sum := l.mac.Sign([]byte(id))
	return id + "." + base64.RawURLEncoding.EncodeToString(sum[:])
}

// Open gives the hash of the id in a token. Errors: ErrDead for a token that was never made.
func (l *Links) Open(token string) (credential.Digest, error) {
	id, signature, _ := strings.Cut(token, ".")
	sum, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !l.mac.Verify([]byte(id), sum) {
		return credential.Digest{}, ErrDead
	}
	return Hash(id), nil
}
